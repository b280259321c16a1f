"""Which key a branch's name holds, and which names only look as if they held one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.work.issue_key import issue_key_of


@pytest.mark.requirement("twig.issue-key")
@pytest.mark.parametrize(
    ("branch", "key"),
    [
        ("PROJ-12", "PROJ-12"),
        ("feature/PROJ-12-title", "PROJ-12"),
        ("feature/proj-12-title", "PROJ-12"),
        ("feature/Proj-12_title", "PROJ-12"),
        ("proj-12", "PROJ-12"),
        ("ada/proj-12/again", "PROJ-12"),
        ("fix-login-PROJ-12", "PROJ-12"),
        ("feature_PROJ-12", "PROJ-12"),
        ("PROJ-12-and-PROJ-13", "PROJ-12"),
        ("utf-8-in-PROJ-12", "PROJ-12"),
        ("bugfix/A1B-7", "A1B-7"),
        ("team/MY_TEAM-3-x", "MY_TEAM-3"),
        ("TASK-9", "TASK-9"),
    ],
)
def test_a_key_in_a_branchs_name_is_found(branch: str, key: str) -> None:
    """In capitals where a word begins, in small letters where a part of the name does."""
    assert issue_key_of(branch, None) == key


@pytest.mark.requirement("twig.issue-key")
@pytest.mark.parametrize(
    "branch",
    [
        "main", "feature/login", "utf-8", "UTF-8-names", "sha-256", "fix/sha-256-sums", "iso-8601",
        "release-2024", "release/release-2024-10", "version-2", "fix-12", "issue-7", "task-9",
        "CVE-2024-1234", "GH-42", "pr-17", "node-20.1", "NODE-20.1", "add-2-tests",
        "login-step-3", "fix-proj-12", "my_team-3", "fix_the_login-3",
        "performance-12", "proj-0", "proj-012", "proj-12x", "a-1", "-",
        "proj-", "12-proj", "", "🚀-12", "prój-12",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_key_is_none(branch: str) -> None:
    """Standards, versions, kinds of branches, and numbers of things."""
    assert issue_key_of(branch, None) is None


@pytest.mark.requirement("twig.issue-key")
@pytest.mark.parametrize(
    ("linked", "key"), [("PROJ-1", "PROJ-1"), ("proj-1", "PROJ-1"), ("me1234", "me1234")]
)
def test_a_link_goes_before_the_name(linked: str, key: str) -> None:
    """As twig has it; a key is written in capitals."""
    assert issue_key_of("feature/OTHER-2", linked) == key
    assert issue_key_of(None, linked) == key
    assert issue_key_of(None, None) is None


@pytest.mark.requirement("twig.issue-key")
@given(st.text(max_size=300))
def test_no_name_is_too_odd(branch: str) -> None:
    """What is found stands in the name, but for its case."""
    key = issue_key_of(branch, None)
    assert key is None or key in branch.upper()
