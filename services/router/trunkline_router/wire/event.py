"""One JSON-RPC message as a server-sent event, which is what channels carry. No I/O."""

import orjson

from trunkline_router.model import Json

_DATA = b"data: "


def as_event(message: Json) -> bytes:
    """Return a message as one server-sent event."""
    return event_of(orjson.dumps(message))


def event_of(data: bytes) -> bytes:
    """Return the event of a message that has been written out."""
    return b"event: message\n" + _DATA + data + b"\n\n"


def data_of(event: bytes) -> bytes:
    """Return the message of an event, written out; nothing for a comment."""
    return event.partition(_DATA)[2].rstrip()
