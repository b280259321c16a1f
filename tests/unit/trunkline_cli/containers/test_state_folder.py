"""The state folder: who may read what, writing in place, and one command at a time."""

import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trunkline_cli.containers.state_folder import StateFolder, held
from trunkline_cli.failure import CommandFailed


@contextmanager
def opened(path: Path) -> Iterator[StateFolder]:
    """Hold a folder that nobody else holds."""

    def never() -> None:
        raise AssertionError("nobody else holds it")

    with held(path, never) as state:
        yield state


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.requirement("shipping.up-modes")
def test_secrets_are_open_files_behind_a_door_of_their_owner(tmp_path: Path) -> None:
    """A container's user reads the one file that it is given; nobody else enters the folder."""
    with opened(tmp_path / "state") as state:
        state.keep_secret("mesh_key", "s3cret")
        state.keep_key("tl_owner_x")
        state.begin_configuration()
        state.keep_settings("{}")
    assert mode(state.path) == mode(state.path / "secrets") == 0o700
    assert mode(state.secret_file("mesh_key")) == 0o444
    assert mode(state.api_key) == mode(state.settings) == 0o600
    assert (mode(state.configuration.parent), mode(state.configuration)) == (0o755, 0o644)
    assert state.secret("mesh_key") == "s3cret"


@pytest.mark.requirement("shipping.up-modes")
def test_a_folder_that_was_too_open_is_closed(tmp_path: Path) -> None:
    """Whoever made it by hand."""
    (tmp_path / "secrets").mkdir(mode=0o755)
    tmp_path.chmod(0o755)
    with opened(tmp_path) as state:
        assert mode(state.path) == mode(state.path / "secrets") == 0o700


def test_a_secret_is_written_where_it_is(tmp_path: Path) -> None:
    """A container goes on seeing the file that it was started with."""
    with opened(tmp_path) as state:
        assert state.keep_secret("github_token", "a longer one than the next")
        before = state.secret_file("github_token").stat().st_ino
        assert state.keep_secret("github_token", "short")
        assert not state.keep_secret("github_token", "short")
        assert state.secret_file("github_token").stat().st_ino == before
        assert state.secret("github_token") == "short"
        assert mode(state.secret_file("github_token")) == 0o444


def test_an_empty_secret_is_an_empty_file(tmp_path: Path) -> None:
    """Compose wants a file for each of them."""
    with opened(tmp_path) as state:
        assert state.secret("jira_api_token") == ""
        state.keep_secret("jira_api_token", "")
        assert state.secret_file("jira_api_token").stat().st_size == 0


@pytest.mark.requirement("shipping.up-twice")
def test_of_two_commands_at_once_one_waits(tmp_path: Path) -> None:
    """And says so."""
    waiting, done = threading.Event(), threading.Event()

    def second() -> None:
        with held(tmp_path, waiting.set):
            done.set()

    with opened(tmp_path):
        thread = threading.Thread(target=second)
        thread.start()
        assert waiting.wait(5)
        assert not done.is_set()
    assert done.wait(5)
    thread.join(5)


def test_what_cannot_be_written_is_named_with_the_fix(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "state").write_text("", encoding="utf-8")
    named = pytest.raises(CommandFailed, match=r"state.*cannot be written.*TRUNKLINE_STATE")
    with named, held(tmp_path / "state", lambda: None):
        pass


def test_a_secret_that_is_no_text_is_named_with_the_fix(tmp_path: Path) -> None:
    """Whoever put it there."""
    with opened(tmp_path) as state:
        state.secret_file("secret").write_bytes(b"\xff\xfe")
        with pytest.raises(CommandFailed, match=r"secrets/secret cannot be read.*delete it"):
            state.secret("secret")
