"""Bumps as news: each is heard here and at every other router, by whoever wants to know."""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, ValidationError

from trunkline_router.cache.bumps import Bumped, Bumps
from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.bus_port import Bus

TOPIC = "bumps"
REJOIN_S = 1.0
SETTLE_S = 0.5
BACKLOG = 1000
log = logging.getLogger(__name__)


class BumpNews(BaseModel):
    """Tags that were bumped, and why; `origin` is the router that did, `at` epoch seconds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    origin: str
    tags: tuple[str, ...]
    cause: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BumpFeed:
    """Tells the other routers what is bumped here, and `on_news` here what is bumped anywhere.

    Bumps of here are heard at once, with or without a store. `on_gap` are told when others' may
    have been missed: whatever somebody depends on may have changed.
    """

    bumps: Bumps
    bus: Bus
    clock: Clock
    origin: str = field(default_factory=lambda: uuid.uuid4().hex)
    on_news: list[Callable[[BumpNews], None]] = field(default_factory=list)
    on_gap: list[Callable[[], None]] = field(default_factory=list)
    _untold: "asyncio.Queue[BumpNews]" = field(default_factory=lambda: asyncio.Queue(BACKLOG))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Tell and hear for the length of the block; what is untold at its end is told, or lost."""
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(work()) for work in (self._telling, self._hearing)]
            self.bumps.on_bump.append(self._bumped)
            try:
                yield
            finally:
                self.bumps.on_bump.remove(self._bumped)
                await self._settle()
                for task in running:
                    task.cancel()

    @contextmanager
    def heard_by(self, news: Callable[[BumpNews], None], gap: Callable[[], None]) -> Iterator[None]:
        """Have both called for the length of the block."""
        self.on_news.append(news)
        self.on_gap.append(gap)
        try:
            yield
        finally:
            self.on_news.remove(news)
            self.on_gap.remove(gap)

    def _bumped(self, bumped: Bumped) -> None:
        news = BumpNews(
            origin=self.origin, tags=bumped.tags, cause=bumped.cause.value, at=self.clock.now()
        )
        if self._untold.full():
            self._untold.get_nowait()
            self._untold.task_done()
        self._untold.put_nowait(news)
        self._pass_on(news)

    def _pass_on(self, news: BumpNews) -> None:
        for tell in tuple(self.on_news):
            tell(news)

    async def _telling(self) -> None:
        while True:
            news = await self._untold.get()
            try:
                await self._tell(news)
            finally:
                self._untold.task_done()

    async def _tell(self, news: BumpNews) -> None:
        """Tell the others, though it be late: those who hear again know of no gap."""
        message = news.model_dump_json().encode()
        while True:
            with suppress(UpstreamUnavailable):
                await self.bus.publish(TOPIC, message)
                return
            await self.clock.sleep(REJOIN_S)

    async def _settle(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await self._untold.join()

    async def _hearing(self) -> None:
        while True:
            with suppress(UpstreamUnavailable):
                await self._hear()
            await self.clock.sleep(REJOIN_S)

    async def _hear(self) -> None:
        async with self.bus.heard(TOPIC) as messages:
            # Whatever was said before this moment, nobody here has heard.
            for tell in tuple(self.on_gap):
                tell()
            async for message in messages:
                news = _read(message)
                if news is not None and news.origin != self.origin:
                    self._pass_on(news)


def _read(message: bytes) -> BumpNews | None:
    try:
        return BumpNews.model_validate_json(message)
    except ValidationError:
        log.debug("another router tells of a bump in words that this version does not know")
        return None
