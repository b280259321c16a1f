"""Between one client and a Redis: a connection that a test may cut or stall."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from trunkline_shared.settings import load
from trunkline_shared.store.settings import StoreSettings


@dataclass(slots=True, kw_only=True)
class Partition:
    """Passes on what is said, unless it is cut or stalls; `socket` is where clients connect.

    What was said while it stalls arrives when it flows again, also from clients that have left.
    """

    redis: Path
    socket: Path
    _flows: asyncio.Event = field(default_factory=asyncio.Event)
    _is_cut: bool = False
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def settings(self) -> StoreSettings:
        return load(StoreSettings, {"redis_url": f"unix://{self.socket}"})

    def cut(self) -> None:
        """End the connections with clients, and every new one; Redis hears what it was told."""
        self._is_cut = True
        for writer in self._open:
            writer.transport.abort()

    def accept(self) -> None:
        """Accept new connections again."""
        self._is_cut = False

    def stall(self) -> None:
        """Hold back what is said from now on."""
        self._flows.clear()

    def flow(self) -> None:
        """Pass on what was held back."""
        self._flows.set()

    def mend(self) -> None:
        """Pass on everything again, what was held back first."""
        self._is_cut = False
        self._flows.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        if self._is_cut:
            writer.transport.abort()
            return
        there, back = await asyncio.open_unix_connection(self.redis)
        self._open.add(writer)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._pass_on(reader, back))
                tasks.create_task(self._pass_on(there, writer))
        finally:
            self._open.discard(writer)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        await self._flows.wait()
        writer.close()


@asynccontextmanager
async def partition(redis: Path) -> AsyncIterator[Partition]:
    """Stand between clients and a Redis on a socket for the block."""
    between = Partition(redis=redis, socket=redis.with_name("between.sock"))
    between.mend()
    server = await asyncio.start_unix_server(between.serve, between.socket)
    try:
        yield between
    finally:
        between.mend()
        between.cut()
        server.close()
        await server.wait_closed()
