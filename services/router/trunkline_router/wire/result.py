"""Last touches on a result before it leaves: notes, text for those who read only text."""

import orjson

from trunkline_router.model import Json, Outcome
from trunkline_shared import meta

_MODERN_ONLY = frozenset({"resultType", "ttlMs", "cacheScope"})
_BETWEEN_OURS = frozenset({meta.REUSE, meta.QUOTA, meta.TRIMMED})
"""What our servers tell the router alone, in `_meta`."""


def note_of(outcome: Outcome, trace_id: str) -> Json:
    """Return the note of where a result came from."""
    return {
        "server": outcome.server,
        "source": outcome.provenance,
        "age_ms": outcome.age_ms,
        "trace_id": trace_id,
    }


def with_note(result: Json, note: Json) -> Json:
    """Return a tool's result with the note of where it came from, and with text in any case."""
    told = readable(result)
    return told | {"_meta": _meta(told) | {meta.CALL: note}}


def readable(result: Json) -> Json:
    """Return a tool's result as agents are to see it, with text in any case.

    Half of the clients show the model `content` only, so structured content alone would be lost.
    """
    given = _meta(result)
    if not _BETWEEN_OURS.isdisjoint(given):
        kept = {key: value for key, value in given.items() if key not in _BETWEEN_OURS}
        result = result | {"_meta": kept}
    structured = result.get("structuredContent")
    if structured is not None and not result.get("content"):
        text = orjson.dumps(structured).decode()
        return result | {"content": [{"type": "text", "text": text}]}
    return result


def text_bytes(result: Json) -> int:
    """Return how many bytes of UTF-8 the text of a tool's content has: what a model reads of it."""
    content = result.get("content")
    return sum(map(_text_of, content)) if isinstance(content, list) else 0


def _text_of(block: object) -> int:
    if not isinstance(block, dict):
        return 0
    resource = block.get("resource")
    text = (resource if isinstance(resource, dict) else block).get("text")
    if not isinstance(text, str):
        return 0
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def for_modern(result: Json, server_info: Json) -> Json:
    """Return a result complete in the sense of 2026-07-28: its type, and who answers."""
    return (
        {"resultType": "complete"}
        | result
        | {"_meta": _meta(result) | {meta.SERVER_INFO: server_info}}
    )


def for_legacy(result: Json) -> Json:
    """Return a result without what came with 2026-07-28."""
    kept = {key: value for key, value in result.items() if key not in _MODERN_ONLY}
    given = _meta(result)
    if meta.SERVER_INFO in given:
        kept["_meta"] = {key: value for key, value in given.items() if key != meta.SERVER_INFO}
    if not isinstance(kept.get("structuredContent", {}), dict):
        # Other JSON values are allowed since 2026-07-28 only; older clients refuse the message.
        del kept["structuredContent"]
    return kept


def _meta(result: Json) -> Json:
    given = result.get("_meta")
    return given if isinstance(given, dict) else {}
