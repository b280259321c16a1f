"""Whose turn it is on a processor: what is measured in microseconds must not wait for others."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOWEST = 1


@contextmanager
def undisturbed() -> Iterator[bool]:
    """Run this process, and those it starts in the block, before all ordinary ones.

    Yields whether the system lets it: root may, on Linux.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(_LOWEST))
    except (AttributeError, PermissionError):
        yield False
        return
    try:
        yield True
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


@contextmanager
def apart() -> Iterator[Callable[[int], None]]:
    """Leave one processor to the process whose id what is yielded is called with.

    This process, and those it starts in the block, have the others. Where there is one alone, or
    no say in it, all share what there is.
    """
    mine = _affinity()
    if len(mine) < 2:  # noqa: PLR2004 - one for it, one for the rest
        yield lambda _: None
        return
    its = {min(mine)}
    os.sched_setaffinity(0, mine - its)
    try:
        yield lambda pid: os.sched_setaffinity(pid, its)
    finally:
        os.sched_setaffinity(0, mine)


def _affinity() -> set[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
