"""A bound that held at the last start is kept, lifted by saying so, and never forgotten."""

from pathlib import Path

import pytest

from trunkline_cli.containers.bounds import bounds_of, keep_bounds
from trunkline_cli.containers.state_folder import StateFolder
from trunkline_cli.failure import CommandFailed

pytestmark = pytest.mark.requirement("shipping.up-bounds")
REPOS, READ_ONLY = "TRUNKLINE_ALLOWED_REPOS", "TRUNKLINE_READ_ONLY"


@pytest.fixture
def state(tmp_path: Path) -> StateFolder:
    return StateFolder(path=tmp_path)


def test_what_compose_tells_any_container_of_bounds_is_found() -> None:
    """A variable that is passed on if it is set is null where it is not."""
    told: list[dict[str, str | None]] = [
        {REPOS: "acme/*", READ_ONLY: None, "HOME": "/"},
        {"TRUNKLINE_JIRA_PROJECTS": "WID"},
        {},
    ]
    assert bounds_of(told) == {REPOS: "acme/*", "TRUNKLINE_JIRA_PROJECTS": "WID"}


def test_a_start_that_says_nothing_of_a_bound_is_refused(state: StateFolder) -> None:
    """With what held, and what takes it away; it goes on holding."""
    keep_bounds(state, {REPOS: "acme/*"})
    for _ in range(2):
        with pytest.raises(
            CommandFailed, match=r"TRUNKLINE_ALLOWED_REPOS=acme/\* held .*=\*/\* take"
        ):
            keep_bounds(state, {})
    keep_bounds(state, {REPOS: "acme/widgets"})


@pytest.mark.parametrize(
    ("name", "lifted"), [(REPOS, "*/*"), (READ_ONLY, "0"), (READ_ONLY, "False")]
)
def test_a_bound_that_is_taken_away_need_not_be_spoken_of_again(
    state: StateFolder, name: str, lifted: str
) -> None:
    """Saying so once is enough."""
    keep_bounds(state, {name: "1"})
    keep_bounds(state, {name: lifted})
    keep_bounds(state, {})


@pytest.mark.parametrize("text", ["[", "[1]", "7"])
def test_a_file_that_says_nothing_is_named(state: StateFolder, text: str) -> None:
    """Whoever damaged it must not have opened the mesh."""
    state.bounds.write_text(text, encoding="utf-8")
    with pytest.raises(CommandFailed, match=r"bounds\.json does not say"):
        keep_bounds(state, {})
