"""What of a call's arguments stands in a record: what they address, never what they say."""

import hashlib
from collections.abc import Mapping

import orjson

from trunkline_router.context import key_of
from trunkline_router.model import Json
from trunkline_shared.secrets import find_secrets

_ADDRESSING = frozenset({
    "base",
    "branch",
    "dedupe_key",
    "event",
    "head",
    "head_repo",
    "line",
    "path",
    "project",
    "reaction",
    "ref",
    "repository",
    "sha",
    "side",
    "state",
})
_ID_ENDS = ("_id", "Id", "_ids", "Ids", "_number", "_sha")
_LONGEST = 255
_MOST = 64


def recorded(given: object, bound: Mapping[str, object]) -> Json:
    """Return arguments for a record: addresses as they are, anything else as length and digest.

    `bound` are those that the caller's context sets where none are given.
    """
    arguments = given if isinstance(given, Mapping) else {}
    every = {**bound, **arguments}
    kept = {str(name)[:_LONGEST]: _shown(str(name), every[name]) for name in list(every)[:_MOST]}
    return {name: value for name, value in kept.items() if value is not None}


def _shown(name: str, value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str) and _addresses(name) and _is_plain(value):
        return value
    return _digest(value)


def _addresses(name: str) -> bool:
    return key_of(name) is not None or name in _ADDRESSING or name.endswith(_ID_ENDS)


def _is_plain(value: str) -> bool:
    """Say whether a text can be an address: short, of one line, and no secret."""
    return len(value) <= _LONGEST and value.isprintable() and not any(find_secrets(value))


def _digest(value: object) -> Json:
    """Return length and SHA-256: of a text's UTF-8, else of the value's JSON."""
    raw = _bytes(value)
    if raw is None:
        return {"length": None, "sha256": None}
    return {"length": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}


def _bytes(value: object) -> bytes | None:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    try:
        return orjson.dumps(value)
    except TypeError:
        return None
