"""The router as several processes on one port, and which of them has a connection."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.interaction.caching import SERVER, reads, tool
from tests.interaction.test_router_process import free_port, program, until_ready
from tests.interaction.upstreams import Answer, Scripted, running
from tests.interaction.wire import Reply, head, modern, modern_headers, read_reply
from tests.redis_process import RedisProcess, running_redis

_MOST_TRIES = 200


@dataclass(kw_only=True)
class Connection:
    """A connection that is kept, and the process that has it."""

    port: int
    worker: int
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] = field(repr=False)

    async def call(self, name: str, **arguments: object) -> Reply:
        """Call a tool in the modern era."""
        body = modern("tools/call", {"name": name, "arguments": arguments})
        return await self.send(body, modern_headers("tools/call", name))

    async def get(self, path: str) -> Reply:
        return await self.send(b"", {}, path=path, verb="GET")

    async def send(self, body: bytes, headers: dict[str, str], **more: str) -> Reply:
        reader, writer = self.streams
        writer.write(head(body, headers, port=self.port, **more) + body)
        async with asyncio.timeout(20):
            return await read_reply(reader)


@dataclass(kw_only=True)
class Workers:
    """A router with workers; `process` is their supervisor."""

    port: int
    process: asyncio.subprocess.Process
    open: AsyncExitStack

    @property
    def ids(self) -> Sequence[int]:
        """Return the workers' process ids."""
        return children_of(self.process.pid)

    async def each(self) -> Sequence[Connection]:
        """Return a connection to each of the workers, in the order of their ids."""
        found: dict[int, Connection] = {}
        wanted = self.ids
        for _ in range(_MOST_TRIES):
            if set(wanted) <= set(found):
                return [found[one] for one in wanted]
            connection = await self.connected()
            found.setdefault(connection.worker, connection)
        raise AssertionError(f"of the workers {wanted} only {list(found)} take connections")

    async def connected(self) -> Connection:
        """Return a new connection, to whichever worker takes it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.open.callback(writer.close)
        connection = Connection(port=self.port, worker=0, streams=(reader, writer))
        # Answered once, it has been taken.
        assert (await connection.get("/healthz")).status == 200
        connection.worker = _holder(self.ids, self.port, writer.get_extra_info("sockname")[1])
        return connection


@asynccontextmanager
async def workers(url: str, redis: RedisProcess, **more: str) -> AsyncIterator[Workers]:
    """Run a router with two workers in front of a server, and wait until both are ready."""
    port = free_port()
    given = {"TRUNKLINE_WORKERS": "2", "TRUNKLINE_REDIS_URL": redis.url} | more
    async with AsyncExitStack() as connections, program(port, url, **given) as process:
        await until_ready(process)
        router = Workers(port=port, process=process, open=connections)
        try:
            yield router
        finally:
            _kill(router)


@asynccontextmanager
async def two(answer: Answer, **more: str) -> AsyncIterator[Workers]:
    """Run two workers in front of a server of the mesh's own, whose reads are kept."""
    tools = [tool("act", reads=reads("doc")), tool("write", writes={"tags": ["doc"]})]
    with running_redis() as redis:
        async with (
            running(Scripted(answer=answer, tools=tools)) as url,
            workers(url, redis, TRUNKLINE_SERVER_URLS=f"{SERVER}={url}/mcp", **more) as router,
        ):
            yield router


def _kill(router: Workers) -> None:
    for one in (*router.ids, router.process.pid):
        if router.process.returncode is None:
            os.kill(one, signal.SIGKILL)


def children_of(pid: int) -> Sequence[int]:
    """Return the processes that a process has started; none of one that has ended."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return (
        sorted(int(one) for one in path.read_text(encoding="ascii").split())
        if path.exists()
        else []
    )


def _holder(ids: Sequence[int], port: int, peer: int) -> int:
    """Return the process that has the connection between two ports of this machine, 0 for none."""
    wanted = f":{port:04X}", f":{peer:04X}"
    lines = [
        line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    ]
    inodes = [one[9] for one in lines if one[1].endswith(wanted[0]) and one[2].endswith(wanted[1])]
    held = [pid for pid in ids if inodes and f"socket:[{inodes[0]}]" in _files(pid)]
    return held[0] if held else 0


def _files(pid: int) -> Iterator[str]:
    """Return what a process has open; it may end meanwhile."""
    with suppress(OSError):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            yield str(file.readlink())
