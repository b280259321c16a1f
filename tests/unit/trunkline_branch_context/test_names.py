"""Branch names: what is no name, what is close, what is shown."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_branch_context.git import Git
from trunkline_branch_context.names import close_names, shown, unknown_branch
from trunkline_shared import wire
from trunkline_shared.errors import BranchNotFound, InvalidInput
from trunkline_shared.testing.git_repository import GitRepository


@given(name=st.text(st.characters(), max_size=30))
def test_a_name_is_always_shown_in_one_visible_line(name: str) -> None:
    """Line breaks, controls and lone surrogates become escapes that JSON and UTF-8 can carry."""
    text = shown(name)
    assert "\n" not in text
    text.encode()


def test_emoji_of_several_characters_are_shown_whole() -> None:
    """A joiner between emoji belongs to what a person sees."""
    assert shown("feature/👩‍💻") == "feature/👩‍💻"


def test_close_names_begin_with_another_case() -> None:
    """The same letters in another case, then near ones, then those that hold the text."""
    known = ["login", "feature/login", "Feature", "logic"]
    assert close_names("feature", known)[0] == "Feature"
    assert close_names("login", [*known, "Login"])[0] == "Login"
    assert close_names("log", known)[0] in {"login", "logic"}
    assert close_names("zzz", known) == []


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["\ud800", "-x", "a\0b", "x" * 5000 + "..", "@", "a.lock/b"])
async def test_what_git_would_not_name_a_branch_is_invalid(tmp_path: Path, name: str) -> None:
    """Text that cannot even be encoded is told, too, and its error can be."""
    repository = GitRepository.at(tmp_path, commits=0)
    git = Git(directory=repository.path, environment=repository.environment, shown="here")
    error = await unknown_branch(git, name, ["main"])
    if name == "@":
        assert isinstance(error, BranchNotFound)
    else:
        assert isinstance(error, InvalidInput)
    wire.to_text(error).encode()
