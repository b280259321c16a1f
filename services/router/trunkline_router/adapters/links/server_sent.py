"""Server-sent events with all of their fields, as sessions need them."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.incoming import Blocks

_DIGITS = 9
"""A longer number is longer than anybody waits, and may be too long to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event; `retry_s` is how long to wait before coming back, in seconds."""

    kind: str = "message"
    data: bytes = b""
    id: str | None = None
    retry_s: float | None = None


async def events(response: Answer, cap: int) -> AsyncIterator[Event]:
    """Yield the events of an answer as they come. Raises NotMcp for one larger than `cap` bytes."""
    blocks = Blocks(cap)
    async for chunk in response.pieces():
        for block in blocks.feed(chunk):
            yield event_of(block)


def event_of(block: bytes) -> Event:
    """Read the lines of one event; HTML standard, 9.2.6."""
    fields: dict[bytes, list[bytes]] = {}
    for line in block.split(b"\n"):
        name, _, value = line.partition(b":")
        fields.setdefault(name, []).append(value.removeprefix(b" "))
    ids, retries = fields.get(b"id"), fields.get(b"retry")
    return Event(
        kind=fields.get(b"event", [b"message"])[-1].decode("utf-8", "replace") or "message",
        data=b"\n".join(fields.get(b"data", [])),
        id=ids[-1].decode("utf-8", "replace") if ids and b"\0" not in ids[-1] else None,
        retry_s=int(retries[-1][:_DIGITS]) / 1000 if retries and retries[-1].isdigit() else None,
    )
