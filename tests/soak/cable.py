"""A cable between a router and Redis, which can be held, cut, and mended."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

_PIECE = 65_536


@dataclass(slots=True, kw_only=True)
class Cable:
    """Carries bytes from a port to a Unix socket, both ways.

    While it is held nothing arrives, and all of it does later; `delay_s` is what each piece needs.
    """

    to: Path
    port: int = 0
    delay_s: float = 0.0
    _flowing: asyncio.Event = field(default_factory=asyncio.Event)
    _is_cut: bool = False
    _ends: set[asyncio.StreamWriter] = field(default_factory=set)

    def hold(self) -> None:
        """Let nothing arrive, with all connections open."""
        self._flowing.clear()

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        self._is_cut = True
        for end in self._ends:
            end.transport.abort()

    def mend(self) -> None:
        """Carry again; what was held arrives now."""
        self._is_cut = False
        self._flowing.set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until either end closes it."""
        if self._is_cut:
            writer.transport.abort()
            return
        self._ends.add(writer)
        with suppress(OSError):
            there, onward = await asyncio.open_unix_connection(str(self.to))
            self._ends.add(onward)
            try:
                await self._both(reader, writer, there, onward)
            finally:
                onward.close()
                self._ends.discard(onward)
        writer.close()
        self._ends.discard(writer)

    async def _both(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        there: asyncio.StreamReader,
        onward: asyncio.StreamWriter,
    ) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._pump(reader, onward))
            tasks.create_task(self._pump(there, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(_PIECE):
                await asyncio.sleep(self.delay_s)
                await self._flowing.wait()
                writer.write(piece)
                await writer.drain()
        writer.close()


@asynccontextmanager
async def laid(to: Path) -> AsyncIterator[Cable]:
    """Lay a cable for the length of the block."""
    cable = Cable(to=to)
    cable.mend()
    server = await asyncio.start_server(cable.carry, "127.0.0.1", 0)
    cable.port = server.sockets[0].getsockname()[1]
    try:
        yield cable
    finally:
        server.close()
        cable.mend()
        cable.cut()
