"""What a server sends back, read without trust: one JSON-RPC answer, or a stream of events."""

from collections.abc import Iterator, Sequence

import orjson

from trunkline_router.link import Reply
from trunkline_router.model import Json, JsonRpcError


class NotMcp(Exception):
    """The bytes are no answer in the protocol's sense."""


def parse(raw: bytes) -> Json:
    """Read one JSON object. Raises NotMcp."""
    try:
        message = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise NotMcp from None
    if not isinstance(message, dict):
        raise NotMcp
    return message


def parse_all(raw: bytes) -> Sequence[Json]:
    """Read one JSON object, or a batch of them as 2025-03-26 has it. Raises NotMcp."""
    try:
        message = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise NotMcp from None
    messages = message if isinstance(message, list) else [message]
    if not all(isinstance(each, dict) for each in messages):
        raise NotMcp
    return messages


def read_reply(message: Json, number: int, status: int, size: int = 0) -> Reply:
    """Read the answer to request `number`, `size` bytes. Raises NotMcp, also for another's."""
    answered = message.get("id")
    result, error = message.get("result"), message.get("error")
    if isinstance(result, dict) and answered == number:
        return Reply(result=result, size=size)
    if not isinstance(error, dict) or answered not in (number, None):
        raise NotMcp
    code, text = error.get("code"), error.get("message")
    if not isinstance(code, int) or not isinstance(text, str):
        raise NotMcp
    return Reply(error=JsonRpcError(code=code, message=text, data=error.get("data"), status=status))


class Blocks:
    """A stream's events, unread, out of chunks that end anywhere; holds at most `cap` bytes."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._rest = bytearray()
        self._held = b""
        self._searched = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the lines of each event that is complete.

        Raises NotMcp when one event is larger than the cap.
        """
        self._rest += self._with_plain_line_ends(chunk)
        rest = self._rest
        # Most of a large event is one line, and two line ends are looked for at a tenth of the pace
        # of one.
        stop = rest.rfind(b"\n", self._searched) + 1
        begin = rest.find(b"\n", self._searched) if stop else 0
        while (end := rest.find(b"\n\n", begin, stop)) >= 0:
            block = bytes(rest[:end])
            del rest[: end + 2]
            begin, stop = 0, stop - end - 2
            self._searched = 0
            yield block
        self._searched = max(len(self._rest) - 1, 0)
        if len(self._rest) > self._cap:
            raise NotMcp

    def _with_plain_line_ends(self, chunk: bytes) -> bytes:
        """Have one kind of line end; a CR at the end waits for what the next chunk begins with."""
        if b"\r" not in chunk and not self._held:
            return chunk
        whole = self._held + chunk
        self._held = b"\r" if whole.endswith(b"\r") else b""
        plain = whole.removesuffix(b"\r").replace(b"\r\n", b"\n")
        return plain.replace(b"\r", b"\n")


class EventStream:
    """The data of server-sent events, in bounded memory."""

    def __init__(self, cap: int) -> None:
        self._blocks = Blocks(cap)

    def feed(self, chunk: bytes) -> Iterator[bytes | None]:
        """Yield the data of each event that is complete, None for a comment alone.

        Raises NotMcp when one event is larger than the cap.
        """
        for block in self._blocks.feed(chunk):
            yield from _data(block)


def _data(block: bytes) -> Iterator[bytes | None]:
    lines = block.split(b"\n")
    data = [line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:")]
    if data:
        yield b"\n".join(data)
    elif any(line.startswith(b":") for line in lines):
        yield None


def is_final(message: Json) -> bool:
    """Say whether a message of a stream is its answer."""
    return "method" not in message and ("result" in message or "error" in message)
