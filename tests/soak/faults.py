"""What goes wrong while agents work: with Redis, between it and a router, with a router."""

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.redis_process import RedisProcess
from tests.soak.agents import Work
from tests.soak.replica import Replica


@dataclass(slots=True, kw_only=True)
class Faults:
    """Lets everything happen, in an order of the seed's; each is over when its method returns.

    Between them it is quiet for so many seconds. Those that only silence a router last about
    `long_s`: others need five seconds to notice.
    """

    quiet_s: float
    long_s: float
    redis: RedisProcess
    routers: Sequence[Replica]
    work: Work
    rng: Random
    done: list[str] = field(default_factory=list)

    async def run(self) -> None:
        """Let each happen at least once, and go on until the goal is met."""
        kinds, met = self._kinds(), self.work.met
        while not self.done or not met.is_set():
            for kind in self.rng.sample(list(kinds), len(kinds)):
                await asyncio.sleep(self.quiet_s)
                self.work.history.faults.append(time.monotonic())
                await kinds[kind]()
                self.done.append(kind)
                if len(self.done) >= len(kinds) and met.is_set():
                    break
        await asyncio.sleep(self.quiet_s)

    def _kinds(self) -> dict[str, Callable[[], Awaitable[None]]]:
        return {
            "Redis killed and started empty": self._killed,
            "Redis stopped and continued": self._paused,
            "FLUSHALL": self._flushed,
            "Redis full": self._filled,
            "Redis rolled back to an old file": self._rolled_back,
            "a router cut off from Redis": self._cut_off,
            "a router's words to Redis delayed": self._held_up,
            "a router killed and started": self._router_killed,
        }

    def _some(self) -> Replica:
        return self.rng.choice(self.routers)

    async def _for_a_while(self, seconds: float = 1.5) -> None:
        await asyncio.sleep(self.rng.uniform(0.5, 1.5) * seconds)

    async def _killed(self) -> None:
        await asyncio.to_thread(self.redis.kill)
        await self._for_a_while(0.5)
        await asyncio.to_thread(self.redis.start)

    async def _paused(self) -> None:
        self.redis.pause()
        await self._for_a_while()
        self.redis.resume()

    async def _flushed(self) -> None:
        with self.redis.look() as client:
            client.flushall()

    async def _filled(self) -> None:
        await asyncio.to_thread(self._set, "1")
        await self._for_a_while()
        await asyncio.to_thread(self._set, "0")

    def _set(self, maxmemory: str) -> None:
        with self.redis.look() as client:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", maxmemory)

    async def _rolled_back(self) -> None:
        """Start it with a file from before some of the writes."""
        await asyncio.to_thread(self._save)
        await self._for_a_while()
        await asyncio.to_thread(self.redis.kill)
        file = self.redis.folder / "dump.rdb"
        shutil.copy(self._kept, file)
        await asyncio.to_thread(self.redis.start)
        file.unlink()

    def _save(self) -> None:
        with self.redis.look() as client:
            client.save()
        shutil.move(self.redis.folder / "dump.rdb", self._kept)

    @property
    def _kept(self) -> Path:
        return self.redis.folder / "old.rdb"

    async def _cut_off(self) -> None:
        router = self._some()
        router.cable.cut()
        await self._for_a_while(self.long_s)
        router.cable.mend()

    async def _held_up(self) -> None:
        router = self._some()
        router.cable.hold()
        await self._for_a_while(self.long_s)
        router.cable.mend()

    async def _router_killed(self) -> None:
        router = self._some()
        await router.kill()
        await self._for_a_while(0.5)
        await router.start()
