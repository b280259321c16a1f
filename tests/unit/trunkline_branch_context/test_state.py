"""twig's state: what is read of any file, and the look-ups built from it."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_branch_context.registry import parse_registry
from trunkline_branch_context.state import parse_state
from trunkline_shared.errors import NoTwigState
from trunkline_shared.testing.git_repository import CREATED_AT, twig_state

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**12) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
PART_NAMES = {"version", "branches", "dependencies", "root_branches", "worktrees"}
PARTS = st.sampled_from(sorted(PART_NAMES))


def test_look_ups_are_rebuilt_in_the_files_order() -> None:
    """Parents and children, issues in any case, pull requests; several branches may share one."""
    state = parse_state(
        twig_state(
            branches={"a": ("proj-1", 7), "b": ("PROJ-1", 7), "c": ("", None)},
            dependencies=[("c", "b"), ("c", "a"), ("c", "b")],
        )
    )
    assert state.parents == {"c": ("b", "a")}
    assert state.children == {"b": ("c",), "a": ("c",)}
    assert state.parent_of("c") == "b"
    assert state.parent_of("a") is None
    assert state.by_issue == {"PROJ-1": ("a", "b")}
    assert state.by_pull_request == {7: ("a", "b")}
    assert state.branches["a"].created_at == CREATED_AT
    assert state.branches["c"].jira_issue is None
    assert state.names == {"a", "b", "c"}


def test_zero_and_blank_mean_not_linked() -> None:
    """No pull request has the number 0, and no issue an empty key."""
    state = parse_state({"branches": {"a": {"github_pr": 0, "jira_issue": ""}}})
    assert (state.branches["a"].github_pr, state.branches["a"].jira_issue) == (None, None)
    assert not state.warnings


def test_null_parts_are_empty_parts() -> None:
    """What another version leaves null is as if it were missing."""
    state = parse_state({"branches": None, "dependencies": None, "version": None})
    assert not state.names
    assert not state.warnings


@given(content=st.dictionaries(PARTS | st.text(), JSON) | JSON)
def test_any_json_is_read_or_refused(content: object) -> None:
    """Whatever somebody writes there: a state with warnings, or NO_TWIG_STATE."""
    try:
        state = parse_state(orjson.loads(orjson.dumps(content)))
    except NoTwigState:
        assert not isinstance(content, dict) or not PART_NAMES.isdisjoint(content)
    else:
        assert all(name in state.names for name in state.branches)


@given(content=JSON)
def test_any_json_is_a_registry_or_refused(content: object) -> None:
    """The registry is a list; entries that make no sense are skipped by position."""
    try:
        registry = parse_registry(content)
    except NoTwigState:
        assert not isinstance(content, list)
    else:
        assert isinstance(content, list)
        assert len(registry.repositories) + len(registry.warnings) == len(content)


def test_a_newer_version_warns() -> None:
    """The number is told, and what is known is read."""
    state = parse_state({"version": 2, "branches": {"a": {"github_pr": 4, "new": {}}}})
    assert state.branches["a"].github_pr == 4
    assert "version 2" in state.warnings[0]


@pytest.mark.parametrize("part", ["dependencies", "root_branches", "worktrees"])
def test_a_bad_entry_costs_itself_only(part: str) -> None:
    """Its place in the file is told."""
    state = parse_state({part: [{"child": 5}], "branches": {"a": {}}})
    assert list(state.branches) == ["a"]
    assert f"{part}[0]" in state.warnings[0]
