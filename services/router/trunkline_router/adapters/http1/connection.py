"""One connection to a server, with one exchange at a time."""

import asyncio
from typing import Protocol, cast

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.http1.failing import Cut
from trunkline_router.adapters.http1.reading import Reading


class Keeper(Protocol):
    """Whoever holds connections between exchanges."""

    def back(self, connection: "Connection") -> None:
        """Take one that is free for the next exchange."""

    def gone(self, connection: "Connection") -> None:
        """Forget one that is closed."""


class Connection(asyncio.Protocol):
    """Carries a request and hands out its answer; `kept_at` is the loop's time.

    It goes back to its keeper when an answer has come to its end and nothing speaks against
    another, and is closed otherwise.
    """

    __slots__ = ("_answer", "_keeper", "_reading", "_transport", "kept_at")

    _transport: asyncio.Transport

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._answer: Answer | None = None
        self._reading: Reading | None = Reading()
        self.kept_at = 0.0

    @property
    def is_open(self) -> bool:
        return not self._transport.is_closing()

    def ask(self, message: bytes) -> Answer:
        """Send a request; of its answer nothing has come."""
        answer = self._answer = Answer(self)
        if self._reading is not None:
            self._reading.expect(answer)
        self._transport.write(message)
        return answer

    def close(self) -> None:
        """Close it; nothing is under way."""
        self._transport.close()

    def abort(self) -> None:
        if self._reading is not None:
            # It was not the server that ended it.
            self._reading.ends_with_connection = False
        self._transport.abort()

    def hold(self) -> None:
        self._transport.pause_reading()

    def go_on(self) -> None:
        if self.is_open:
            self._transport.resume_reading()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        reading, self._reading = self._reading, None
        answer, self._answer = self._answer, None
        self._keeper.gone(self)
        if answer is None or reading is None:
            return
        if exc is None and reading.ends_with_connection:
            answer.end()
        else:
            answer.fail(Cut("the connection was closed before the end of an answer"))

    def data_received(self, data: bytes) -> None:
        answer, reading = self._answer, self._reading
        if answer is None or reading is None:
            # Nobody has asked.
            self.abort()
            return
        try:
            reading.feed(data)
        except Cut as cut:
            self._answer = None
            answer.fail(cut)
            self.abort()
            return
        if answer.complete:
            self._finish(reading)

    def _finish(self, reading: Reading) -> None:
        transport, self._answer = self._transport, None
        # A server that answers before it has read all of a request has the rest still to come.
        if reading.is_over or transport.is_closing() or transport.get_write_buffer_size():
            transport.close()
            return
        if not transport.is_reading():
            transport.resume_reading()
        self._keeper.back(self)
