"""Standard input as lines and standard output as a sink, neither blocking the event loop.

Threads and plain file descriptors: an event loop takes pipes and terminals but no regular files,
and a thread inside Python's own stdin object would abort the interpreter's shutdown.
"""

import asyncio
import os
import queue
import threading
from collections.abc import AsyncIterator

from trunkline_cli.frames import lines

STDIN, STDOUT = 0, 1
CHUNK = 65_536


async def stdin_lines() -> AsyncIterator[bytes]:
    """Yield the lines of standard input until it closes."""
    async for line in lines(_chunks()):
        yield line


async def _chunks() -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    received: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = os.read(STDIN, CHUNK)
            except OSError:
                chunk = b""
            if loop.is_closed():
                return
            loop.call_soon_threadsafe(received.put_nowait, chunk)

    threading.Thread(target=read, daemon=True, name="stdin").start()
    while chunk := await received.get():
        yield chunk


class Stdout:
    """Standard output; whole writes, one after another, in a thread that may block for ever."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._write_on, daemon=True, name="stdout").start()

    async def write(self, data: bytes) -> None:
        """Write all of `data`. Raises OSError when the reader has gone."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put((data, written))
        await written

    def _write_on(self) -> None:
        while True:
            data, written = self._queue.get()
            failure: OSError | None = None
            try:
                _write_all(data)
            except OSError as error:
                failure = error
            loop = written.get_loop()
            if loop.is_closed():
                return
            loop.call_soon_threadsafe(_settle, written, failure)


def _settle(written: asyncio.Future[None], failure: OSError | None) -> None:
    if written.done():
        return
    if failure is None:
        written.set_result(None)
    else:
        written.set_exception(failure)


def _write_all(data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(STDOUT, rest) :]
