"""A pipe in the file system, through which a program of a test says something, once."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_MOST_BYTES = 4096


@dataclass(frozen=True, kw_only=True)
class NamedPipe:
    """Whoever writes a file at `path` is heard."""

    path: Path
    descriptor: int

    async def said(self) -> str:
        """Wait for what is said."""
        written, loop = asyncio.Event(), asyncio.get_running_loop()
        loop.add_reader(self.descriptor, written.set)
        try:
            await written.wait()
        finally:
            loop.remove_reader(self.descriptor)
        return os.read(self.descriptor, _MOST_BYTES).decode()


@contextmanager
def named_pipe(path: Path) -> Iterator[NamedPipe]:
    """Make a pipe at a path that is free, for the length of the block."""
    os.mkfifo(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        yield NamedPipe(path=path, descriptor=descriptor)
    finally:
        os.close(descriptor)
