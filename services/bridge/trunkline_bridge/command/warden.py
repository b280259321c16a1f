"""Runs a command, and ends with it everything that it has started; a program of its own.

    python -I -m trunkline_bridge.command.warden LIFELINE FOLDER COMMAND…

LIFELINE is the reading end of a pipe. When its other end is closed, however that came about, the
command's group is told to end (SIGTERM), and killed after a grace. Once the command is gone, by
itself or not, so is whatever it has left running, and FOLDER is removed.

On Linux nothing escapes: the warden adopts what its descendants leave behind, in whatever session,
and the command is killed if the warden is. Elsewhere a process that has left the group goes on.
"""

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

from trunkline_bridge.command.removal import remove

GRACE_S: Final = 1.0
"""How long a command may take to end after SIGTERM."""
NOT_FOUND: Final = 127
_OURS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_ON_LINUX = sys.platform == "linux"


def main(lifeline: int, folder: Path, command: list[str]) -> int:
    """Run the command; returns its exit code, 128 and more for a signal, like a shell."""
    for number in _OURS:
        signal.signal(number, signal.SIG_IGN)
    news = _news_of_children()
    _control(_PR_SET_CHILD_SUBREAPER, 1)
    warden = os.getpid()
    child = os.fork()
    if child == 0:
        _become(command, lifeline, warden)
    for stream in (0, 1, 2):
        os.close(stream)
    status = _awaited(child, lifeline, news)
    if _ON_LINUX:
        _end_descendants()
        remove(folder)
    else:
        remove(folder)
        os.killpg(0, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(status) if status is not None else -signal.SIGKILL
    return code if code >= 0 else 128 - code


def _news_of_children() -> int:
    """Return a pipe that can be read whenever a child has ended."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return reading


def _control(option: int, value: int) -> None:
    if _ON_LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _become(command: list[str], lifeline: int, warden: int) -> NoReturn:
    os.close(lifeline)
    _control(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != warden:
        os._exit(NOT_FOUND)
    signal.set_wakeup_fd(-1)
    for number in (*_OURS, signal.SIGCHLD, signal.SIGPIPE):
        # What is ignored would stay ignored in the command.
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell is the point
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(NOT_FOUND)


def _awaited(child: int, lifeline: int, news: int) -> int | None:
    """Wait for the child, or for the lifeline to break and the grace to pass; then it is None."""
    watched = [lifeline, news]
    until: float | None = None
    while True:
        left = None if until is None else max(until - time.monotonic(), 0)
        ready, _, _ = select.select(watched, [], [], left)
        with suppress(BlockingIOError):
            os.read(news, 4096)
        status = _reaped(child)
        if status is not None or (until is not None and not ready):
            return status
        if lifeline in ready:
            watched, until = [news], time.monotonic() + GRACE_S
            os.killpg(0, signal.SIGTERM)


def _reaped(child: int) -> int | None:
    """Take leave of all who have ended; returns the status of the child if it is among them."""
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == child:
                return status
            if pid == 0:
                break
    return None


def _end_descendants() -> None:
    """Kill all children until there are none: those of a child that dies are ours then."""
    while True:
        for pid in _children():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    mine = str(os.getpid()).encode()
    processes = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return [process for process in processes if _parent(process) == mine]


def _parent(process: int) -> bytes | None:
    with suppress(OSError):
        # The name in parentheses may hold anything: what counts follows the last one.
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return fields[1]
    return None


if __name__ == "__main__":
    os._exit(main(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
