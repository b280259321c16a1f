"""What the host tells its parent once: the default repository, which only the host can find out.

Finding it takes modules that the router's process does not carry.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LONGEST = 1024


def report(writing_end: int, repository: str) -> None:
    """Tell the parent the default `owner/repo`; empty when there is none."""
    try:
        os.write(writing_end, repository.encode()[:_LONGEST])
    finally:
        os.close(writing_end)


@contextmanager
def hearing(reading_end: int, take: Callable[[str], None]) -> Iterator[None]:
    """Hand on what the host reports during the block; its end of the pipe is ours to close."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        loop.remove_reader(reading_end)
        take(os.read(reading_end, _LONGEST).decode(errors="replace"))

    loop.add_reader(reading_end, read)
    try:
        yield
    finally:
        loop.remove_reader(reading_end)
        os.close(reading_end)
