"""How many processes the router is to be: a number, or as many as there are cores for it."""

import math
import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from trunkline_shared.settings import ConfigurationError

AUTO = "auto"
_MOST = 64
_MOST_BY_ITSELF = 16
"""What each server has slots for where nothing else is said: more workers are somebody's choice."""
_CGROUP = Path("/sys/fs/cgroup")


def _number(value: object) -> object:
    text = value.strip().lower() if isinstance(value, str) else value
    if text == AUTO or isinstance(text, int):
        return text
    if isinstance(text, str) and text.isascii() and text.isdigit():
        return int(text)
    raise ValueError(f"must be a whole number from 1 to {_MOST}, or {AUTO}")


WorkerCount = Annotated[
    Literal["auto"] | Annotated[int, Field(ge=1, le=_MOST)], BeforeValidator(_number)
]


def workers_of(asked: Literal["auto"] | int) -> int:
    """Return how many workers are meant."""
    return asked if isinstance(asked, int) else min(cores(), _MOST_BY_ITSELF)


def cores(cgroup: Path = _CGROUP) -> int:
    """Return how many cores this process may use, by its affinity and its control group's quota.

    A part of a core counts as one. Linux, "Control Group v2", `cpu.max`; v1's `cpu.cfs_quota_us`.
    """
    # Where a system knows no affinity, all processors are there for it.
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(allowed or 1, _quota(cgroup)))


def _quota(cgroup: Path) -> int:
    for read in (_second, _first):
        try:
            quota, period = read(cgroup)
        except (OSError, ValueError):
            continue
        return math.ceil(quota / period) if quota > 0 < period else _MOST
    return _MOST


def _second(cgroup: Path) -> tuple[int, int]:
    quota, period = (cgroup / "cpu.max").read_text(encoding="ascii").split()
    return (0 if quota == "max" else int(quota)), int(period)


def _first(cgroup: Path) -> tuple[int, int]:
    quota, period = (
        int((cgroup / "cpu" / f"cpu.cfs_{name}_us").read_text(encoding="ascii"))
        for name in ("quota", "period")
    )
    return quota, period


def must_share(asked: Literal["auto"] | int, redis_url: str) -> None:
    """Refuse several workers that could not know of each other. Raises ConfigurationError."""
    workers = workers_of(asked)
    if workers > 1 and not redis_url:
        shown = _shown(asked, workers)
        raise ConfigurationError(
            f"TRUNKLINE_WORKERS={shown}: several processes need Redis to keep "
            "what one keeps alone: without it a write through one would be followed by old "
            "answers of another, and limits, breakers and sessions would hold for each by "
            "itself. Set TRUNKLINE_REDIS_URL, or TRUNKLINE_WORKERS=1."
        )


def must_be_alone(asked: Literal["auto"] | int) -> None:
    """Refuse workers where the router runs in somebody's process. Raises ConfigurationError."""
    workers = workers_of(asked)
    if workers > 1:
        shown = _shown(asked, workers)
        raise ConfigurationError(
            f"TRUNKLINE_WORKERS={shown}: the local mesh runs its router in its "
            "own process, which is one. Set TRUNKLINE_WORKERS=1, or start python -m "
            "trunkline_router with TRUNKLINE_REDIS_URL."
        )


def _shown(asked: Literal["auto"] | int, workers: int) -> str:
    return f"{asked} ({workers} here)" if asked == AUTO else str(asked)
