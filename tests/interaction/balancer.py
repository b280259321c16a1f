"""A small TCP balancer: new connections go round robin to the replicas that say they are ready."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.interaction.wire import get

CHECK_S = 0.05


@dataclass(kw_only=True)
class Balancer:
    """Looks at `/readyz` of each replica again and again; knows nothing of what it carries."""

    replicas: Sequence[int]
    ready: set[int] = field(default_factory=set)
    port: int = 0
    _turns: "itertools.count[int]" = field(default_factory=itertools.count)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def until(self, ready: set[int]) -> None:
        """Wait until exactly these replicas get connections."""
        while self.ready != ready:
            self._changed.clear()
            await self._changed.wait()

    async def check(self) -> None:
        while True:
            for port in self.replicas:
                before = port in self.ready
                now = await _is_ready(port)
                (self.ready.add if now else self.ready.discard)(port)
                if now != before:
                    self._changed.set()
            await asyncio.sleep(CHECK_S)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect to a replica, and pass bytes both ways until both sides are done."""
        ports = [port for port in self.replicas if port in self.ready]
        try:
            port = ports[next(self._turns) % len(ports)]
            inner, outer = await asyncio.open_connection("127.0.0.1", port)
        except (IndexError, ZeroDivisionError, ConnectionError):
            writer.transport.abort()
            return
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_pour(reader, outer))
                tasks.create_task(_pour(inner, writer))
        finally:
            outer.close()
            writer.close()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
    # Half a connection is closed, so that what is still on its way back arrives.
    with suppress(OSError, RuntimeError):
        writer.write_eof()


async def _is_ready(port: int) -> bool:
    try:
        return (await get(port, "/readyz")).status == 200
    except (ConnectionError, TimeoutError, asyncio.IncompleteReadError):
        return False


@asynccontextmanager
async def balancing(replicas: Sequence[int]) -> AsyncIterator[Balancer]:
    """Share out connections over these ports for the length of the block."""
    balancer = Balancer(replicas=replicas)
    server = await asyncio.start_server(balancer.carry, "127.0.0.1", 0)
    balancer.port = server.sockets[0].getsockname()[1]
    async with asyncio.TaskGroup() as tasks:
        checking = tasks.create_task(balancer.check())
        try:
            yield balancer
        finally:
            checking.cancel()
            server.close()
