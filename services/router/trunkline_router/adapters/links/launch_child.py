"""Starts a command that ends with its parent; run as a program, not imported.

It stays behind as a watcher in the command's process group: when the pipe whose reading end it
holds is closed, however the parent ended, it kills the whole group. `cli` knows the same tie.
"""

import os
import signal
import sys

_NOT_FOUND = 127


def main(lifeline: int, command: list[str]) -> None:
    """Leave a watcher behind, and become the command."""
    if os.fork() == 0:
        # Twice, so that the command never finds a child that it has not made.
        if os.fork() == 0:
            _watch(lifeline)
        os._exit(0)
    os.wait()
    os.close(lifeline)
    # Python ignores it, and what is ignored stays ignored in the command.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell is the point
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(_NOT_FOUND)


def _watch(lifeline: int) -> None:
    for stream in (0, 1, 2):
        os.close(stream)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while os.read(lifeline, 64):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
