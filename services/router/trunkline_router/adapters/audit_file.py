"""Where audit records end: a file that only grows, or standard output; never the event loop's time.

A thread of its own writes each line whole, in one write. What cannot be written is kept and tried
again; the log says so once, and once more when it works again.
"""

import asyncio
import fcntl
import logging
import os
import queue
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from trunkline_shared.settings import ConfigurationError

log = logging.getLogger(__name__)

STDOUT = "stdout"
_AGAIN_S = 1.0
_ENDING_S = 5.0
_MOST_HELD = 64 * 1024 * 1024
_STDOUT_FD = 1


class Sink:
    """A file descriptor to append to; a file that was moved or removed is opened anew.

    Raises OSError where the file cannot be used.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        # Workers have standard output from their parent, as one file to `flock`: that would hold
        # none of them up. A lock of the process is of no use to two routers in one.
        self._lock = fcntl.lockf if path is None else fcntl.flock
        self._fd = _STDOUT_FD if path is None else _opened(path)

    def write(self, line: bytes) -> None:
        """Append a whole line, or nothing of it. Raises OSError."""
        if self._path is not None and self._was_rotated(self._path):
            os.close(self._fd)
            self._fd = -1
            self._fd = _opened(self._path)
        with self._alone():
            written = os.write(self._fd, line)
            if written < len(line):
                self._take_back(written, len(line))

    def close(self) -> None:
        """Let go of a file; standard output is not ours to close."""
        if self._path is not None and self._fd >= 0:
            os.close(self._fd)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep the router's other processes from writing: what is taken back is the file's end."""
        try:
            self._lock(self._fd, fcntl.LOCK_EX)
        except OSError:
            # Not every file can be locked; a whole line fits all the same, as a rule.
            yield
            return
        try:
            yield
        finally:
            self._lock(self._fd, fcntl.LOCK_UN)

    def _was_rotated(self, path: Path) -> bool:
        if self._fd < 0:
            return True
        ours = os.fstat(self._fd)
        try:
            there = path.stat()
        except FileNotFoundError:
            return True
        return (ours.st_dev, ours.st_ino) != (there.st_dev, there.st_ino)

    def _take_back(self, written: int, wanted: int) -> None:
        """Remove the beginning of a line whose rest found no room. Raises OSError."""
        if self._path is not None:
            os.ftruncate(self._fd, os.fstat(self._fd).st_size - written)
        raise OSError(None, f"only {written} of {wanted} bytes were written")


class AuditFile:
    """Takes lines at once, and hands them to a thread; holds 64 MiB of them at the most.

    `written` and `lost` count lines since the start.
    """

    def __init__(self, sink: Sink, name: str) -> None:
        self._sink = sink
        self._name = name
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
        self._held: deque[bytes] = deque()
        self._held_bytes = 0
        self.written = 0
        self.lost = 0
        self._told_lost = 0
        self._failing = False
        self._thread.start()

    def append(self, line: bytes) -> None:
        """Keep one line; never waits."""
        self._lines.put(line)

    def close(self) -> None:
        """Wait until every line is written, for 5 s at the most; blocks."""
        self._lines.put(None)
        self._thread.join(_ENDING_S)
        if self._thread.is_alive():
            log.error("%s does not take the last audit records in time", self._name)

    def _run(self) -> None:
        ending = False
        while not ending:
            ending = self._wait()
            self._write_held()
        if self._held:
            log.error("%d audit records could not be written to %s", len(self._held), self._name)
        self._sink.close()

    def _wait(self) -> bool:
        """Hold what has come, or wait for it; tell whether that was the end."""
        try:
            line = self._lines.get(timeout=_AGAIN_S if self._held else None)
        except queue.Empty:
            return False
        while line is not None:
            self._hold(line)
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return False
        return True

    def _hold(self, line: bytes) -> None:
        if self._held_bytes + len(line) > _MOST_HELD:
            self.lost += 1
            return
        self._held.append(line)
        self._held_bytes += len(line)

    def _write_held(self) -> None:
        try:
            while self._held:
                self._sink.write(self._held[0])
                self._held_bytes -= len(self._held.popleft())
                self.written += 1
        except OSError as error:
            if not self._failing:
                self._failing = True
                log.error(  # noqa: TRY400 - a full disk is no bug whose traceback tells anything
                    "audit records cannot be written to %s (%s); they are kept and tried again",
                    self._name,
                    error.strerror,
                )
            return
        if self._failing:
            self._failing = False
            lost, self._told_lost = self.lost - self._told_lost, self.lost
            log.warning("audit records are written to %s again; %d were lost", self._name, lost)


@asynccontextmanager
async def open_audit(named: str) -> AsyncIterator[AuditFile | None]:
    """Open what TRUNKLINE_AUDIT_LOG names, a path or `stdout`; nothing for an empty name.

    At the end every line is written. Raises ConfigurationError for a file that cannot be used.
    """
    if not named:
        yield None
        return
    trail = AuditFile(_sink(named), named)
    try:
        yield trail
    finally:
        # The loop has other things to end meanwhile.
        await asyncio.to_thread(trail.close)


def must_be_writable(named: str) -> None:
    """Raise ConfigurationError for a file that cannot be used; an empty name is none."""
    if named:
        _sink(named).close()


def _sink(named: str) -> Sink:
    try:
        return Sink(None if named == STDOUT else Path(named))
    except OSError as error:
        raise ConfigurationError(
            f"TRUNKLINE_AUDIT_LOG={named}: the file cannot be written ({error.strerror}); name one "
            "that the router may append to, or stdout"
        ) from None


def _opened(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
