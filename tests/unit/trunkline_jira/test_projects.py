"""The operator's list of projects."""

import pytest

from trunkline_jira.keys import IssueKey
from trunkline_jira.projects import AllowedProjects
from trunkline_shared.errors import BlockedByPolicy


@pytest.mark.requirement("jira.allowlist")
@pytest.mark.parametrize(
    ("listed", "project", "allowed"),
    [
        ("", "ME", True),
        ("ME, WID", "ME", True),
        ("me", "ME", True),
        ("ME", "MEND", False),
        ("WEB_*", "WEB_SHOP", True),
        ("WEB_*", "WEB", False),
        ("W?B", "WEB", True),
        ("*", "ANY", True),
    ],
)
def test_a_project_is_allowed_by_key_or_glob(listed: str, project: str, *, allowed: bool) -> None:
    """Keys are compared in upper case; an empty list allows any."""
    assert AllowedProjects.of(listed).allows(project) is allowed


def test_keys_and_globs_are_told_apart() -> None:
    """A query can name keys; globs have to be looked up first."""
    allowed = AllowedProjects.of("ME,WEB_*")
    assert (allowed.keys, allowed.wildcards) == (("ME",), ("WEB_*",))
    assert allowed.limited
    assert not AllowedProjects.of("").limited
    assert not AllowedProjects.of("ME,*").limited


def test_the_refusal_names_the_list_and_its_variable() -> None:
    """The caller learns what it may ask for, the operator what to change."""
    with pytest.raises(BlockedByPolicy) as refused:
        AllowedProjects.of("WID").require_key(IssueKey(project="ME", number="1"))
    assert "WID" in (refused.value.hint or "")
    assert "TRUNKLINE_JIRA_PROJECTS" in (refused.value.hint or "")
