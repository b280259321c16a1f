"""Processor time of a process with all that it has started, read from the kernel."""

import time
from pathlib import Path

_TICK_S = 0.01


def cpu_of(pid: int) -> float:
    """Return the seconds of user and system time of a process and its descendants so far.

    The clock of another process has the kernel's full resolution (clock_getcpuclockid(3)); those
    that have ended are counted by who waited for them, in hundredths of a second. Raises OSError
    when the process is gone.
    """
    clock = (~pid << 3) | 2
    own = time.clock_gettime(clock) + _of_the_ended(pid)
    return own + sum(cpu_of(child) for child in children_of(pid))


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started and that still run."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


def _of_the_ended(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    # proc_pid_stat(5): cutime and cstime are the 16th and the 17th field, the state is the third.
    return (int(fields[13]) + int(fields[14])) * _TICK_S
