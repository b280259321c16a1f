"""Worker processes as their supervisor sees them."""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NoReturn

from trunkline_router.workers.orders import Lines
from trunkline_router.workers.signals import HEARD, taken

_AT_ONCE = 65_536


@dataclass(slots=True, kw_only=True, eq=False)
class Child:
    """One worker; `line` leads to it, `began` is monotonic seconds."""

    number: int
    pid: int
    line: socket.socket
    ready: bool = False
    began: float = field(default_factory=time.monotonic)
    _lines: Lines = field(default_factory=Lines)

    def tell(self, order: bytes) -> None:
        """Give an order; one that is about to be found dead hears nothing."""
        with suppress(OSError):
            self.line.sendall(order)

    def heard(self) -> Sequence[bytes] | None:
        """Return the lines that it has said, None when it says nothing any more."""
        try:
            part = self.line.recv(_AT_ONCE)
        except OSError:
            return None
        return tuple(self._lines.of(part)) if part else None


def fork(become: Callable[[], NoReturn]) -> int:
    """Return the id of a new process, in which nothing but `become` is run. Raises OSError.

    Signals wait until either process can take its own.
    """
    for stream in (sys.stdout, sys.stderr):
        # What waits to be written would be written twice.
        stream.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
    try:
        pid = os.fork()
        if pid == 0:
            _forget_signals()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
    if pid == 0:
        try:
            become()
        finally:
            # Whatever has gone wrong: there is one supervisor.
            os._exit(1)
    return pid


def _forget_signals() -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # A terminal or a service manager may signal all processes at once: the supervisor says what it
    # means. A handler that does nothing, since the programs that a worker starts would ignore them.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, taken)


def reaped() -> Iterator[tuple[int, int]]:
    """Return the processes that have ended, and how: an exit code, or the negative of a signal.

    Those that were left to the first process of a container are among them.
    """
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        yield pid, os.waitstatus_to_exitcode(status)
