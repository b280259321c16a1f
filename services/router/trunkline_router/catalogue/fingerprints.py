"""What tells two lists apart, and two views of the mesh."""

import hashlib
from collections.abc import Iterable

import orjson

from trunkline_shared import meta

Entry = dict[str, object]


def of_entries(entries: Iterable[Entry]) -> bytes:
    """Return what identifies the entries of a list, whatever their order and their marks."""
    return hashlib.sha256(b"\n".join(sorted(map(_plain, entries)))).digest()


def of_values(values: object, prints: Iterable[bytes]) -> bytes:
    """Return what identifies plain values and fingerprints together."""
    return hashlib.sha256(b"".join(prints) + orjson.dumps(values)).digest()


def _plain(entry: Entry) -> bytes:
    given = entry.get("_meta")
    if isinstance(given, dict) and meta.AVAILABILITY in given:
        kept = {key: value for key, value in given.items() if key != meta.AVAILABILITY}
        entry = {key: value for key, value in entry.items() if key != "_meta"}
        entry |= {"_meta": kept} if kept else {}
    return orjson.dumps(entry, option=orjson.OPT_SORT_KEYS)
