"""Results written out once, for every answer that they will be part of. No I/O."""

from collections.abc import Set as AbstractSet

import orjson

from trunkline_router.model import Json, Packed, RequestId
from trunkline_router.wire.result import for_legacy, readable, text_bytes
from trunkline_shared import meta

_APART = frozenset({"_meta", "resultType"})
_ADDED = frozenset({meta.CALL, meta.SERVER_INFO})
"""What the router says in `_meta` of each answer, whatever a server has said there."""


def pack(result: Json) -> Packed:
    """Write a complete result out. Raises TypeError for one that is nested too deeply."""
    told = readable(result)
    in_both = for_legacy(told)
    given = told.get("_meta")
    return Packed(
        fields=_members(in_both, without=_APART),
        modern=_members(told, without=_APART | in_both.keys()),
        meta=_members(given, without=_ADDED) if isinstance(given, dict) else b"",
        text_bytes=text_bytes(told),
    )


def answered_modern(
    request_id: RequestId, packed: Packed, note: Json, server_info: Json
) -> tuple[bytes, ...]:
    """Return the pieces of the message that has a packed result in it, as of 2026-07-28."""
    added = orjson.dumps({meta.CALL: note, meta.SERVER_INFO: server_info})[1:-1]
    return _message(request_id, packed, added, b'"resultType":"complete",', packed.modern)


def answered_legacy(request_id: RequestId, packed: Packed, note: Json) -> tuple[bytes, ...]:
    """Return the pieces of the message that has a packed result in it, as before 2026-07-28."""
    return _message(request_id, packed, orjson.dumps({meta.CALL: note})[1:-1], b"", b"")


def _message(
    request_id: RequestId, packed: Packed, added: bytes, kind: bytes, modern: bytes
) -> tuple[bytes, ...]:
    """Put a message around the fields, which may be large and are left as they are."""
    told = b"%b,%b" % (packed.meta, added) if packed.meta else added
    more = b"," + modern if modern else b""
    head = b'{"jsonrpc":"2.0","id":%b,"result":{%b"_meta":{%b}%b' % (
        orjson.dumps(request_id),
        kind,
        told,
        more,
    )
    return (head, b",", packed.fields, b"}}") if packed.fields else (head, b"}}")


def _members(told: Json, *, without: AbstractSet[str]) -> bytes:
    return orjson.dumps({key: told[key] for key in told if key not in without})[1:-1]
