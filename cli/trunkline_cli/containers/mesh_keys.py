"""The API keys that `trunkline up` makes: the owner's, and the one that Prometheus shows."""

from collections.abc import Sequence
from pathlib import Path

from trunkline_cli.api_key import ApiKey, digest_of, new_key
from trunkline_cli.containers.state_folder import StateFolder, text_of
from trunkline_cli.failure import CommandFailed
from trunkline_cli.key_file import changing, configuration_of, replace
from trunkline_cli.key_text import CannotEdit, with_key, without_key

OWNER = "owner"
PROMETHEUS = "prometheus"
OBSERVE_KEY = "observe_key"
# Who can read this key can read the folder that it is in, where the secrets allow all of it anyway.
_OWNERS_SCOPES = ("tools", "contexts", "observe", "admin")


def have_owner_key(state: StateFolder) -> bool:
    """Make the owner's key unless there is one; returns whether it was made. Raises CommandFailed.

    One that was revoked stays so as long as somebody else may come in: a router beyond loopback
    does not start when nobody may.
    """
    state.begin_configuration()
    known = configuration_of(state.configuration)
    digests = {entry.id: entry.hash for entry in known.keys}
    shown = text_of(state.api_key).strip()
    if shown and (digests.get(OWNER) == digest_of(shown) or (digests and OWNER not in digests)):
        return False
    made = new_key(OWNER)
    state.keep_key(made.text)
    _put(state.configuration, made, _OWNERS_SCOPES)
    return True


def owner_revoked(state: StateFolder) -> bool:
    """Say whether the key in the folder is none of the mesh's."""
    return OWNER not in {entry.id for entry in configuration_of(state.configuration).keys}


def have_observe_key(state: StateFolder) -> None:
    """Make the key with which Prometheus reads the metrics, unless it is there already."""
    known = {entry.id: entry.hash for entry in configuration_of(state.configuration).keys}
    shown = state.secret(OBSERVE_KEY)
    if shown and known.get(PROMETHEUS) == digest_of(shown):
        return
    made = new_key(PROMETHEUS)
    state.keep_secret(OBSERVE_KEY, made.text)
    _put(state.configuration, made, ("observe",))


def _put(path: Path, key: ApiKey, scopes: Sequence[str]) -> None:
    """Have the key in the configuration, in place of an older one of its name."""
    entry = {"id": key.id, "hash": key.digest, "scopes": list(scopes)}
    with changing(path) as text:
        known = {each.id for each in configuration_of(path).keys}
        try:
            replace(path, with_key(without_key(text, key.id) if key.id in known else text, entry))
        except CannotEdit as fault:
            raise CommandFailed(
                f"{path} was left alone: {fault}. Write its keys as a list with one entry below "
                "the other, and run this again."
            ) from None
