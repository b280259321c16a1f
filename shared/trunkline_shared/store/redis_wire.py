"""One connection to Redis for short questions, any number of them underway at once.

The client library takes a multiple of the time for each: this is for what every read of the mesh
asks. It speaks RESP 2 (https://redis.io/docs/latest/develop/reference/protocol-spec/), as far as
answers are one text or one number.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from redis.exceptions import (
    AuthenticationError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as Unanswered

_END = b"\r\n"
_KINDS: dict[bytes, type[RedisError]] = {
    b"NOSCRIPT": NoScriptError,
    b"READONLY": ReadOnlyError,
    b"NOAUTH": AuthenticationError,
    b"WRONGPASS": AuthenticationError,
}


def packed(*parts: bytes) -> bytes:
    """Return a command as it goes on the wire."""
    return b"*%d\r\n%b" % (len(parts), bulks(parts))


def bulks(parts: Sequence[bytes]) -> bytes:
    """Return arguments as they go on the wire."""
    return b"".join([b"$%d\r\n%b\r\n" % (len(part), part) for part in parts])


@dataclass(slots=True)
class RedisWire(asyncio.Protocol):
    """Answers come in the order of the questions.

    A question that is not answered for `timeout_s` seconds closes the connection: nothing is known
    of those behind it either. What is asked in one turn of the loop is sent together.
    """

    timeout_s: float
    _transport: asyncio.Transport | None = None
    _asked: "deque[tuple[asyncio.Future[bytes], float]]" = field(default_factory=deque)
    _unsent: list[bytes] = field(default_factory=list)
    _unread: bytes = b""
    _watch: asyncio.TimerHandle | None = None
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def ask(self, command: bytes) -> "asyncio.Future[bytes]":
        """Return what will be answered; it raises RedisError."""
        future: asyncio.Future[bytes] = self._loop.create_future()
        if not self.is_open:
            future.set_exception(Disconnected("the connection was lost"))
            return future
        self._asked.append((future, self._loop.time() + self.timeout_s))
        if not self._unsent:
            self._loop.call_soon(self._send)
        self._unsent.append(command)
        if self._watch is None:
            self._watch = self._loop.call_later(self.timeout_s, self._look)
        return future

    def close(self, error: Exception | None = None) -> None:
        """Close the connection; whoever still waits for an answer gets the error."""
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.abort()
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        self._unsent.clear()
        while self._asked:
            future, _ = self._asked.popleft()
            _fail(future, error or Disconnected("the connection was closed"))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.close(Disconnected(f"the connection was lost: {exc}" if exc else "it hung up"))

    def data_received(self, data: bytes) -> None:
        if self._unread:
            data = self._unread + data
        at = 0
        try:
            while at < len(data) and (end := self._answered(data, at)):
                at = end
        except ValueError:
            self.close(Disconnected("that was no answer of a Redis"))
            return
        self._unread = data[at:]

    def _answered(self, data: bytes, at: int) -> int:
        """Hand on the answer that begins here; return its end, 0 when it is not all there.

        Raises ValueError for what cannot be read.
        """
        line = data.find(_END, at)
        if line < 0:
            return 0
        kind, end = data[at : at + 1], line + 2
        answer = data[at + 1 : line]
        if kind == b"$":
            size = int(answer)
            start, end = end, end + max(size, 0) + (2 if size >= 0 else 0)
            if len(data) < end:
                return 0
            answer = data[start : end - 2] if size >= 0 else b""
        elif kind not in b"+-:":
            raise ValueError(kind)
        self._hand_on(answer, failed=kind == b"-")
        return end

    def _hand_on(self, answer: bytes, *, failed: bool) -> None:
        if not self._asked:
            raise ValueError(answer)
        future, _ = self._asked.popleft()
        if failed:
            kind = _KINDS.get(answer.partition(b" ")[0], ResponseError)
            _fail(future, kind(answer.decode(errors="replace")))
        elif not future.done():
            future.set_result(answer)

    def _send(self) -> None:
        unsent = self._unsent
        if self.is_open and self._transport is not None and unsent:
            self._transport.write(unsent[0] if len(unsent) == 1 else b"".join(unsent))
        unsent.clear()

    def _look(self) -> None:
        """Give up when the first who waits has waited too long; look again when it will have."""
        self._watch = None
        if not self._asked:
            return
        left_s = self._asked[0][1] - self._loop.time()
        if left_s <= 0:
            self.close(Unanswered(f"no answer within {self.timeout_s:g} s"))
        else:
            self._watch = self._loop.call_later(left_s, self._look)


def _fail(future: "asyncio.Future[bytes]", error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
        # Whoever asked may have left; nobody else has to hear of it.
        future.exception()
