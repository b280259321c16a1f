"""Server-sent events: of JSON-RPC messages, which is what channels carry, and of pages. No I/O."""

from typing import Final

import orjson

from trunkline_router.model import Json

KEEP_ALIVE: Final = b": keep-alive\n\n"
KEEP_ALIVE_S: Final = 15.0
_BEGIN = b"event: message\ndata: "
_DATA = b"data: "


def as_event(message: Json) -> bytes:
    """Return a message as one server-sent event."""
    return event_of(orjson.dumps(message))


def event_of(*pieces: bytes, head: bytes = b"") -> bytes:
    """Return the event of a message that has been written out; `head` is what its id stands in."""
    # Joined once: a message may have megabytes.
    return b"".join((head, _BEGIN, *pieces, b"\n\n"))


def named_event(kind: bytes, body: object) -> bytes:
    """Return an event of a page's own kind."""
    return b"event: " + kind + b"\ndata: " + orjson.dumps(body) + b"\n\n"


def data_of(event: bytes) -> bytes:
    """Return the message of an event, written out; nothing for a comment."""
    return event.partition(_DATA)[2].rstrip()
