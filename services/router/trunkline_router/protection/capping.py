"""Results that are too large for a model's context: cut where that can be seen, never silently."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from trunkline_router.model import Call, Json
from trunkline_shared import wire
from trunkline_shared.errors import TooLarge

_MORE = "ask for less: a smaller page, a narrower range, fewer objects"


def capped(call: Call, result: Json, most: int) -> Json:
    """Return a result whose texts, blobs and structured content are `most` bytes each at the most.

    Structured content is whole or not there at all. A tool that promises it by its output schema
    then answers TOO_LARGE, since clients refuse a success without it.
    """
    structured = result.get("structuredContent")
    if structured is not None and (size := len(orjson.dumps(structured))) > most:
        if result.get("isError") is not True and _promises(call):
            return wire.to_result(_too_large(call, size, most))
        result = {key: value for key, value in result.items() if key != "structuredContent"}
        result["content"] = [*_listed(result, "content"), _text(_left_out("data", size, most))]
    changed: Json = {}
    for key, cut in (("content", _cut_block), ("contents", _cut_entry), ("messages", _cut_message)):
        if key in result:
            room = _Room(most=most, left=most)
            changed[key] = [cut(item, room) for item in _listed(result, key)]
    if len(orjson.dumps(result.get("_meta"))) > most:
        changed["_meta"] = {}
    return result | changed


@dataclass(slots=True, kw_only=True)
class _Room:
    """What still fits, in bytes."""

    most: int
    left: int

    def cut(self, text: str) -> str:
        """Return as much of a text as fits, to the end of a line, and a note of what does not."""
        raw = text.encode()
        if len(raw) <= self.left:
            self.left -= len(raw)
            return text
        shown = raw[: self.left].decode(errors="ignore")
        whole_lines = shown.rpartition("\n")[0]
        shown = whole_lines or shown
        self.left = 0
        note = f"… cut: {_size(len(raw))}, shown {_size(len(shown.encode()))}; {_MORE}."
        return f"{shown}\n{note}" if shown else note

    def takes(self, data: str) -> bool:
        """Say whether data fits as a whole; half of an image is none."""
        if len(data) > self.left:
            return False
        self.left -= len(data)
        return True


def _cut_block(block: object, room: _Room) -> object:
    if not isinstance(block, dict):
        return block
    text, data, resource = block.get("text"), block.get("data"), block.get("resource")
    if isinstance(text, str):
        return block | {"text": room.cut(text)}
    if isinstance(data, str) and not room.takes(data):
        kind = block.get("mimeType") or block.get("type") or "data"
        return _text(_left_out(str(kind), len(data), room.most))
    if isinstance(resource, dict):
        return block | {"resource": _cut_entry(resource, room)}
    return block


def _cut_entry(entry: object, room: _Room) -> object:
    if not isinstance(entry, dict):
        return entry
    text, blob = entry.get("text"), entry.get("blob")
    if isinstance(text, str):
        return entry | {"text": room.cut(text)}
    if isinstance(blob, str) and not room.takes(blob):
        note = _left_out(str(entry.get("mimeType") or "data"), len(blob), room.most)
        kept = {key: value for key, value in entry.items() if key != "blob"}
        return kept | {"mimeType": "text/plain", "text": note}
    return entry


def _cut_message(message: object, room: _Room) -> object:
    if not isinstance(message, dict):
        return message
    return message | {"content": _cut_block(message.get("content"), room)}


def _listed(result: Json, key: str) -> Sequence[object]:
    found = result.get(key)
    return found if isinstance(found, list) else []


def _promises(call: Call) -> bool:
    return call.tool is not None and "outputSchema" in call.tool.definition


def _too_large(call: Call, size: int, most: int) -> TooLarge:
    done = "The call has taken effect, but its" if call.tool and call.tool.writes else "The"
    return TooLarge(
        f"{done} result of {call.name!r} has {_size(size)}; at most {_size(most)} are passed on.",
        hint=f"{_MORE[0].upper()}{_MORE[1:]}.",
        details={"reason": "result_too_large", "bytes": size, "limit": most},
    )


def _left_out(kind: str, size: int, most: int) -> str:
    return f"[{kind[:100]} of {_size(size)} left out: at most {_size(most)} are passed on; {_MORE}]"


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _size(count: int) -> str:
    if count < 1000:  # noqa: PLR2004 - below a kilobyte, bytes are counted
        return f"{count} bytes"
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB"  # noqa: PLR2004 - likewise
