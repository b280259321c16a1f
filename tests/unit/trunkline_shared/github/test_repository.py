"""Names that cannot leave their place in an address, and the repositories that may be touched."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.errors import BlockedByPolicy, InvalidInput
from trunkline_shared.github.allowed import AllowedRepositories
from trunkline_shared.github.repository import Repositories, Repository, path


@pytest.mark.parametrize(
    ("owner", "name"),
    [("octocat", "hello-world"), ("a", ".github"), ("acme_corp", "x.y_z-1"), ("A-B", "...")],
)
def test_names_that_github_gives_are_taken(owner: str, name: str) -> None:
    """Dots in repositories, underscores of managed users."""
    assert Repository(owner, name).slug == f"{owner}/{name}"


@pytest.mark.parametrize(
    "bad", ["", ".", "..", "a/b", "a b", "a%2Fb", "a\n", "ü", "a?b", "x" * 101]
)
def test_other_names_are_refused_before_anything_is_sent(bad: str) -> None:
    """INVALID_INPUT names the field."""
    for owner, name, field in ((bad, "r", "owner"), ("o", bad, "repo")):
        with pytest.raises(InvalidInput, match=field) as caught:
            Repository(owner, name)
        assert caught.value.details["field_errors"][0]["field"] == field  # type: ignore[index] # its shape is asserted


@given(st.text(min_size=1))
def test_no_value_leaves_its_segment(value: str) -> None:
    """Whatever text a caller passes, the path keeps its shape."""
    try:
        filled = path(
            "/repos/{owner}/{repo}/branches/{branch}/x", Repository("o", "r"), branch=value
        )
    except InvalidInput:
        assert value in {".", ".."}
        return
    segments = filled.split("/")
    assert segments[:5] == ["", "repos", "o", "r", "branches"]
    assert segments[6:] == ["x"]
    assert unquote(segments[5], errors="surrogatepass") == value
    assert filled.isascii()
    assert not set("?#\r\n ") & set(filled)


@pytest.mark.parametrize("value", ["", ".", ".."])
def test_a_value_that_would_change_the_path_is_refused(value: str) -> None:
    """Dot segments survive percent-encoding."""
    with pytest.raises(InvalidInput):
        path("/x/{a}/y", Repository("o", "r"), a=value)


@pytest.mark.parametrize(
    ("owner", "repo", "chosen"),
    [
        ("", "", "acme/widgets"),
        ("octo", "cat", "octo/cat"),
        ("", "gears", "acme/gears"),
        ("ACME", "", "ACME/widgets"),
        ("", "octo/cat", "octo/cat"),
    ],
)
def test_the_default_fills_what_is_not_given(owner: str, repo: str, chosen: str) -> None:
    """Given, else configured; a slug in `repo` is understood."""
    assert Repositories(default="acme/widgets").choose(owner, repo).slug == chosen


def test_the_defaults_name_is_not_lent_to_another_owner() -> None:
    """`octo/widgets` was never meant."""
    with pytest.raises(InvalidInput, match="repo is not given"):
        Repositories(default="acme/widgets").choose("octo", "")


def test_without_a_default_both_are_needed() -> None:
    """The hint names the variable."""
    with pytest.raises(InvalidInput, match="owner is not given") as caught:
        Repositories().choose("", "r")
    assert "TRUNKLINE_GITHUB_REPOSITORY" in str(caught.value.hint)


@pytest.mark.parametrize("slug", ["acme/widgets", "Acme/Gears", "octo/cat"])
def test_an_allowed_repository_passes(slug: str) -> None:
    """Globs, whatever the case."""
    owner, repo = slug.split("/")
    assert (
        Repositories(allowed=AllowedRepositories(("acme/*", "OCTO/cat"))).choose(owner, repo).slug
        == slug
    )


@pytest.mark.parametrize("slug", ["octo/dog", "acme2/widgets", "x/acme"])
def test_another_repository_is_blocked(slug: str) -> None:
    """TRUNKLINE_ALLOWED_REPOS stands over every argument."""
    owner, repo = slug.split("/")
    with pytest.raises(BlockedByPolicy) as caught:
        Repositories(allowed=AllowedRepositories(("acme/*", "octo/cat"))).choose(owner, repo)
    assert "TRUNKLINE_ALLOWED_REPOS" in str(caught.value.hint)


def test_the_default_is_subject_to_the_allowlist_too() -> None:
    """Configured is not the same as allowed."""
    with pytest.raises(BlockedByPolicy):
        Repositories(default="acme/widgets", allowed=AllowedRepositories(("octo/*",))).choose(
            "", ""
        )
