"""Memory of a process with all that it has started, read from the kernel."""

from pathlib import Path

from bench.cpu import children_of

_KIB = 1024


def pss_of(pid: int) -> int:
    """Return the proportional set size in bytes, proc_pid_smaps(5): shared pages count in parts.

    Raises OSError when the process is gone.
    """
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    line = next(line for line in rollup.splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) * _KIB + sum(pss_of(child) for child in children_of(pid))
