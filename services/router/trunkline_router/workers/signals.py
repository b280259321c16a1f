"""The signals of a process without an event loop: each wakes whoever waits for files."""

import os
import signal
import socket
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Self

HEARD = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)
_AT_ONCE = 1024


class Signals:
    """Takes the signals that a supervisor obeys, for the length of a block."""

    def __init__(self) -> None:
        self.readable, self._written = socket.socketpair()
        for one in (self.readable, self._written):
            os.set_blocking(one.fileno(), False)

    def __enter__(self) -> Self:
        signal.set_wakeup_fd(self._written.fileno())
        for number in HEARD:
            signal.signal(number, taken)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        signal.set_wakeup_fd(-1)
        self.readable.close()
        self._written.close()

    def taken(self) -> Iterator[int]:
        """Return what has come since the last time, in order."""
        try:
            yield from self.readable.recv(_AT_ONCE)
        except BlockingIOError:
            return


def taken(_: int, __: FrameType | None) -> None:
    """Do nothing: where anybody waits for the signal, its number has been written there."""
