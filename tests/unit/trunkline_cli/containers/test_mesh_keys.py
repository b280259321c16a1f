"""The keys that a start makes: once, kept, and never those that were revoked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from trunkline_cli.api_key import digest_of
from trunkline_cli.containers.mesh_keys import have_observe_key, have_owner_key, owner_revoked
from trunkline_cli.containers.state_folder import StateFolder, held
from trunkline_cli.key_text import with_key, without_key
from trunkline_router.configuration.entries import KeyEntry
from trunkline_router.configuration.file import read_configuration


@pytest.fixture
def state(tmp_path: Path) -> Iterator[StateFolder]:
    """An empty folder."""
    with held(tmp_path / "state", lambda: None) as folder:
        yield folder


def entry_of(state: StateFolder, id_: str) -> KeyEntry | None:
    keys = read_configuration(state.configuration).keys
    return next((each for each in keys if each.id == id_), None)


def rewrite(state: StateFolder, text: str) -> None:
    state.configuration.write_text(text, encoding="utf-8")


def revoke(state: StateFolder) -> None:
    rewrite(state, without_key(state.configuration.read_text(encoding="utf-8"), "owner"))


@pytest.mark.requirement("shipping.up-key")
def test_the_first_start_makes_a_key_of_which_the_router_sees_the_hash(state: StateFolder) -> None:
    """It may do all that whoever owns the folder may do."""
    assert have_owner_key(state)
    shown = state.api_key.read_text(encoding="utf-8").strip()
    assert shown.startswith("tl_owner_")
    assert shown.rpartition("_")[2] not in state.configuration.read_text(encoding="utf-8")
    entry = entry_of(state, "owner")
    assert entry is not None
    assert entry.hash == digest_of(shown)
    assert set(entry.scopes) == {"tools", "contexts", "observe", "admin"}
    assert state.configuration.stat().st_mode & 0o777 == 0o644


@pytest.mark.requirement("shipping.up-twice")
def test_a_second_start_keeps_the_key_and_the_rest_of_the_file(state: StateFolder) -> None:
    """With what somebody has written there."""
    have_owner_key(state)
    shown = state.api_key.read_text(encoding="utf-8")
    text = "# mine\nrouter: {prefix: always}\n" + state.configuration.read_text(encoding="utf-8")
    rewrite(state, text)
    assert not have_owner_key(state)
    assert state.api_key.read_text(encoding="utf-8") == shown
    assert state.configuration.read_text(encoding="utf-8") == text


@pytest.mark.requirement("shipping.up-key")
def test_a_revoked_key_stays_revoked_while_somebody_may_come_in(state: StateFolder) -> None:
    """It is said, and not made good for."""
    have_owner_key(state)
    shown = state.api_key.read_text(encoding="utf-8")
    other = {"id": "ci-bot", "hash": "0" * 64}
    rewrite(state, with_key(state.configuration.read_text(encoding="utf-8"), other))
    revoke(state)
    assert not have_owner_key(state)
    assert owner_revoked(state)
    assert state.api_key.read_text(encoding="utf-8") == shown
    assert entry_of(state, "owner") is None


@pytest.mark.requirement("shipping.up-key")
def test_with_no_key_left_another_one_is_made(state: StateFolder) -> None:
    """A router beyond loopback would not start; the revoked one is still none."""
    have_owner_key(state)
    revoked = state.api_key.read_text(encoding="utf-8").strip()
    revoke(state)
    assert have_owner_key(state)
    entry = entry_of(state, "owner")
    assert entry is not None
    assert entry.hash != digest_of(revoked)
    assert entry.hash == digest_of(state.api_key.read_text(encoding="utf-8"))


@pytest.mark.requirement("shipping.up-key")
def test_a_key_that_was_lost_is_replaced(state: StateFolder) -> None:
    """Nobody can show it any more, so nobody shall."""
    have_owner_key(state)
    state.api_key.unlink()
    assert have_owner_key(state)
    entry = entry_of(state, "owner")
    assert entry is not None
    assert entry.hash == digest_of(state.api_key.read_text(encoding="utf-8"))


@pytest.mark.requirement("shipping.up-observability")
def test_prometheus_has_a_key_of_its_own_that_reads_only(state: StateFolder) -> None:
    """Made once; one that was revoked is made anew, since the profile is asked for."""
    have_owner_key(state)
    have_observe_key(state)
    entry = entry_of(state, "prometheus")
    assert entry is not None
    assert entry.scopes == ("observe",)
    assert entry.hash == digest_of(state.secret("observe_key"))
    have_observe_key(state)
    assert entry_of(state, "prometheus") == entry
