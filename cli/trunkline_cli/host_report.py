"""What the host tells its parent once: what takes modules that the router's process has not."""

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import Any

_PIECE = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class HostReport:
    """The default `owner/repo`, empty for none, and a line for each credential that is missing."""

    repository: str = ""
    warnings: tuple[str, ...] = ()


def tell(writing_end: int, report: HostReport) -> None:
    """Tell the parent, and close the pipe."""
    with os.fdopen(writing_end, "wb") as pipe:
        pipe.write(json.dumps(asdict(report)).encode())


@contextmanager
def hearing(reading_end: int, take: Callable[[HostReport], None]) -> Iterator[None]:
    """Hand on what the host reports during the block; its end of the pipe is ours to close.

    A host that ends before it has told all is one that has told nothing.
    """
    loop = asyncio.get_running_loop()
    told = bytearray()

    def read() -> None:
        piece = os.read(reading_end, _PIECE)
        told.extend(piece)
        if not piece:
            loop.remove_reader(reading_end)
            with suppress(ValueError):
                take(_report(json.loads(told)))

    loop.add_reader(reading_end, read)
    try:
        yield
    finally:
        loop.remove_reader(reading_end)
        os.close(reading_end)


def _report(told: dict[str, Any]) -> HostReport:
    return HostReport(repository=told["repository"], warnings=tuple(told["warnings"]))
