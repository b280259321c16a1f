"""Starts workers, starts those anew that die, tells them what it is told, and ends with them.

It has one thread and no event loop, so that it can fork at any time: a worker begins with all that
is imported, in memory that they share.
"""

import logging
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from trunkline_router.workers.children import Child, fork, reaped
from trunkline_router.workers.coverage import Coverage
from trunkline_router.workers.orders import Word, end_of, line_of, read_line
from trunkline_router.workers.place import Place
from trunkline_router.workers.signals import Signals
from trunkline_router.workers.starts import Starts
from trunkline_shared.departure import Departure, Pace

log = logging.getLogger(__name__)

_PACES = {signal.SIGINT: Pace.QUICK, signal.SIGTERM: Pace.GENTLE}


@dataclass(slots=True, kw_only=True)
class Supervisor:
    """Keeps as many workers as there are sockets; `run` returns the process' exit code.

    `work` is all that a new process does. `ready` is called once, when all workers are; one that
    dies before that ends the start.
    """

    sockets: Sequence[socket.socket]
    folder: Path
    work: Callable[[Place], NoReturn]
    ready: Callable[[], None]
    _children: dict[int, Child] = field(default_factory=dict)
    _starts: Starts = field(default_factory=Starts)
    _coverage: Coverage = field(default_factory=Coverage)
    _departure: Departure = field(default_factory=Departure)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _complete: bool = False
    _code: int = 0

    def run(self) -> int:
        """Run until told to end, and all workers have."""
        with Signals() as signals:
            self._selector.register(signals.readable, selectors.EVENT_READ)
            for number in range(len(self.sockets)):
                self._start(number)
            while self._children or not self._departure.begun:
                self._listen()
                for given in signals.taken():
                    self._obey(signal.Signals(given))
                for number in self._starts.due():
                    self._start(number)
        return self._code

    def _listen(self) -> None:
        for key, _ in self._selector.select(self._starts.patience()):
            if isinstance(key.data, Child):
                self._hear(key.data)

    def _start(self, number: int) -> None:
        try:
            child = self._forked(number)
        except OSError as error:
            self._miss(number, f"cannot be started ({error.strerror})", lived_s=0)
            return
        self._children[number] = child
        self._selector.register(child.line, selectors.EVENT_READ, child)
        if self._complete:
            child.tell(line_of(Word.COMPLETE))

    def _forked(self, number: int) -> Child:
        """Return a new worker. Raises OSError."""
        ours, theirs = socket.socketpair()
        place = Place(
            number=number,
            of=len(self.sockets),
            sockets=self.sockets,
            line=theirs,
            folder=self.folder,
            again=self._complete,
        )
        try:
            pid = fork(lambda: self._become(place, ours))
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        return Child(number=number, pid=pid, line=ours)

    def _become(self, place: Place, ours: socket.socket) -> NoReturn:
        """Be a worker: while anybody else holds a line open, its end is not seen."""
        self._selector.close()
        for line in (ours, *(child.line for child in self._children.values())):
            line.close()
        self.work(place)

    def _hear(self, child: Child) -> None:
        told = child.heard()
        if told is None:
            self._selector.unregister(child.line)
            return
        for line in told:
            word, why = read_line(line)
            if word is Word.READY:
                self._is_ready(child)
            elif word is Word.UNUSABLE:
                self._cannot_be_used(why)

    def _is_ready(self, child: Child) -> None:
        child.ready = True
        child.tell(line_of(Word.OPEN, str(child.number)))
        self._cover()
        if not self._complete and len(self._ready) == len(self.sockets):
            self._complete = True
            self._tell_all(line_of(Word.COMPLETE))
            self.ready()

    @property
    def _ready(self) -> list[int]:
        return [number for number, child in self._children.items() if child.ready]

    def _cover(self) -> None:
        for number, word, which in self._coverage.orders(self._ready, len(self.sockets)):
            self._children[number].tell(line_of(word, which))

    def _cannot_be_used(self, why: str) -> None:
        if self._departure.begun:
            # All of them found the same.
            return
        log.error("router: %s", why)
        if not self._complete:
            self._give_up()

    def _obey(self, given: signal.Signals) -> None:
        if given == signal.SIGCHLD:
            for pid, code in reaped():
                self._ended(pid, code)
        elif given == signal.SIGHUP:
            self._tell_all(line_of(Word.RELOAD))
        else:
            self._end(given)

    def _end(self, given: signal.Signals) -> None:
        if not self._departure.hurried:
            self._leave(_PACES[given])
            return
        self._code = 128 + given
        for child in self._children.values():
            os.kill(child.pid, signal.SIGKILL)

    def _leave(self, pace: Pace) -> None:
        self._departure.begin(pace)
        self._starts.end()
        for one in self.sockets:
            # A worker that ends closes its own; nobody else may keep connections waiting.
            one.close()
        self._tell_all(end_of(pace))

    def _give_up(self) -> None:
        self._code = 1
        if not self._departure.begun:
            self._leave(Pace.QUICK)

    def _ended(self, pid: int, code: int) -> None:
        child = next((one for one in self._children.values() if one.pid == pid), None)
        if child is None:
            return
        for line in child.heard() or ():
            word, why = read_line(line)
            if word is Word.UNUSABLE:
                self._cannot_be_used(why)
        del self._children[child.number]
        if self._selector.get_map().get(child.line) is not None:
            self._selector.unregister(child.line)
        child.line.close()
        if self._departure.begun:
            self._code = self._code or int(code != 0)
            return
        self._cover()
        self._miss(child.number, _how(code), lived_s=time.monotonic() - child.began)

    def _miss(self, number: int, why: str, *, lived_s: float) -> None:
        if not self._complete:
            log.error("worker %d %s before all were ready: the router ends", number + 1, why)
            self._give_up()
            return
        wait_s = self._starts.again(number, lived_s)
        log.error("worker %d %s; another is started in %.1f s", number + 1, why, wait_s)

    def _tell_all(self, order: bytes) -> None:
        for child in self._children.values():
            child.tell(order)


def _how(code: int) -> str:
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"has ended with {code}"
