"""What the router answers with: a JSON object, or an event stream, read as it comes."""

import http.client
import json
from collections.abc import Iterable, Iterator
from typing import Any

from trunkline_cli.failure import CommandFailed

Json = dict[str, Any]


def messages_of(response: http.client.HTTPResponse) -> Iterator[Json]:
    """Yield the JSON-RPC messages of an answer, whether JSON or an event stream."""
    if response.headers.get_content_type() != "text/event-stream":
        body = response.read()
        if body:
            yield json_object(body, "the router")
        return
    for _, data in events_of(response):
        yield json_object(data, "the router")


def json_object(body: bytes, origin: str) -> Json:
    """Return the JSON object of a body. Raises CommandFailed, which names its origin."""
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        shown = body[:200].decode(errors="replace").strip()
        raise CommandFailed(f"{origin} answered something that is no JSON object: {shown}")
    return value


def events_of(lines: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the kind and the data of each event; comments, and events without data, are none."""
    kind, data = "message", list[bytes]()
    for line in lines:
        text = line.rstrip(b"\r\n")
        name, _, value = text.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))
        elif name == b"event":
            kind = value.removeprefix(b" ").decode(errors="replace")
        elif not text:
            if data:
                yield kind, b"\n".join(data)
            kind, data = "message", []
