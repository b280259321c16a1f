"""Router processes that share a Redis, each over a cable of its own; they can be killed."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.interaction.test_router_process import free_port
from tests.interaction.wire import get
from tests.redis_process import RedisProcess
from tests.soak.cable import Cable, laid
from tests.soak.lagging_vendor import SERVER

ROOT = Path(__file__).parents[2]


@dataclass(slots=True, kw_only=True)
class Replica:
    """One router: the program itself, on a port that it keeps over its lives."""

    url: str
    redis_url: str
    cable: Cable
    log: Path
    port: int = field(default_factory=free_port)
    _process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start, and return when it is ready."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "trunkline_router"),
                env={
                    "PATH": os.defpath,
                    "TRUNKLINE_PORT": str(self.port),
                    "TRUNKLINE_SERVER_URLS": f"{SERVER}={self.url}/mcp",
                    "TRUNKLINE_SECRET": "known-to-all-of-the-replicas",
                    "TRUNKLINE_REDIS_URL": self.redis_url,
                },
                cwd=self.log.parent,
                stderr=log,
                stdout=log,
            )
        async with asyncio.timeout(60):
            while not await self._is_ready():
                assert self._process.returncode is None, "the router has ended"
                await asyncio.sleep(0.05)

    async def _is_ready(self) -> bool:
        try:
            return (await get(self.port, "/readyz")).status == 200
        except OSError:
            return False

    async def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            if self._process.returncode is None:
                self._process.kill()
            await self._process.wait()
            self._process = None

    @property
    def resident(self) -> int:
        """Return its memory in bytes."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii")
        return int(status.split()[1]) * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def replicas(
    number: int, url: str, redis: RedisProcess, folder: Path, *, directly: bool = False
) -> AsyncIterator[Sequence[Replica]]:
    """Run so many routers before one server; each over a cable, unless it is to ask directly."""
    async with AsyncExitStack() as running:
        found: list[Replica] = []
        for index in range(number):
            cable = await running.enter_async_context(laid(redis.socket))
            replica = Replica(
                url=url,
                redis_url=redis.url if directly else f"redis://127.0.0.1:{cable.port}",
                cable=cable,
                log=folder / f"router-{index}.log",
            )
            running.push_async_callback(replica.kill)
            await replica.start()
            found.append(replica)
        yield found
