"""Names of branches: what git allows, and whose they are; against git's own check."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline_issues import refs
from trunkline_shared.errors import InvalidInput

NAMES = st.text(st.sampled_from("ab/.-@{~^:?*[\\ \u00e9\x7f_#"), min_size=1, max_size=8)


def git_allows(name: str) -> bool:
    run = subprocess.run(["git", "check-ref-format", f"refs/heads/{name}"], check=False, timeout=10)
    return run.returncode == 0


def we_allow(name: str) -> bool:
    try:
        return refs.branch(name, "base") == name
    except InvalidInput:
        return False


@settings(max_examples=60)
@given(NAMES)
def test_what_we_let_through_git_allows(name: str) -> None:
    """Refused beyond that: a dash in front, which commands take for an option."""
    if we_allow(name):
        assert git_allows(name)
    elif git_allows(name):
        assert name == "@" or name.startswith("-")


@pytest.mark.parametrize(
    "name", ["main", "feature/login", "dependabot/npm/a-1.2", "a@b", "#1", "é"]
)
def test_usual_names_are_let_through(name: str) -> None:
    """As they are."""
    assert we_allow(name)
    assert git_allows(name)


@pytest.mark.parametrize("name", ["", "a\x00b", "\ud800", "x" * 256, "a\n"])
def test_what_cannot_be_sent_is_refused(name: str) -> None:
    """Before it is part of an address."""
    assert not we_allow(name)


@pytest.mark.parametrize(
    ("text", "label", "full"),
    [("login", "login", "acme:login"), ("bob:fix/x", "bob:fix/x", "bob:fix/x")],
)
def test_a_head_is_written_with_or_without_its_owner(text: str, label: str, full: str) -> None:
    """GitHub's filter ignores one without."""
    head = refs.head(text)
    assert (head.label, head.of("acme")) == (label, full)
