"""How routers know of each other's findings: told in the background, never waited for by a call."""

import asyncio
import itertools
import uuid
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from trunkline_router.protection.news import BreakerNews, WindowNews, read_news
from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.store import Store

TOPIC = "protection"
REJOIN_S = 1.0
SETTLE_S = 0.5


class Party(Protocol):
    """Whose findings are shared."""

    def keys(self) -> Iterable[str]:
        """Return the keys under which the store may remember something of them."""

    def heard(self, news: BreakerNews | WindowNews) -> None:
        """Take in what another router has found."""

    def recalled(self, key: str, news: Sequence[BreakerNews | WindowNews], /) -> None:
        """Take in what the store remembers; tell anew what it has lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What becomes known: `message` at once, `record` for those who start within `ttl_s`."""

    key: str
    record: bytes | None = None
    ttl_s: float = 0.0
    message: bytes | None = None


@dataclass(slots=True, kw_only=True)
class Sharing:
    """Tells and hears over a store; while that is away every router goes by its own findings."""

    store: Store
    clock: Clock
    origin: str = field(default_factory=lambda: uuid.uuid4().hex)
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _told: "asyncio.Queue[Told]" = field(default_factory=asyncio.Queue)

    def next(self) -> tuple[str, int]:
        """Return who tells, and the number of what is told next."""
        return self.origin, next(self._numbers)

    def tell(self, told: Told) -> None:
        """Let it be known soon."""
        self._told.put_nowait(told)

    async def settle(self) -> None:
        """Wait, not for long, until all that was found out is known: this router is to end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await self._told.join()

    async def claim(self, key: str, ttl_s: float) -> bool:
        """Say whether this router alone may do what the key stands for."""
        try:
            return await self.store.kept.claim(key, ttl_s=ttl_s)
        except UpstreamUnavailable:
            return True

    async def run(self, parties: Sequence[Party]) -> None:
        """Tell and hear until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._telling())
            tasks.create_task(self._hearing(parties))

    async def _telling(self) -> None:
        while True:
            told = await self._told.get()
            try:
                # What cannot be told now is told when this router hears again.
                with suppress(UpstreamUnavailable):
                    await self._pass_on(told)
            finally:
                self._told.task_done()

    async def _pass_on(self, told: Told) -> None:
        if told.record is None:
            await self.store.kept.drop(told.key)
        else:
            await self.store.kept.put(told.key, told.record, ttl_s=told.ttl_s)
        if told.message is not None:
            await self.store.bus.publish(TOPIC, told.message)

    async def _hearing(self, parties: Sequence[Party]) -> None:
        while True:
            with suppress(UpstreamUnavailable):
                await self._hear(parties)
            await self.clock.sleep(REJOIN_S)

    async def _hear(self, parties: Sequence[Party]) -> None:
        """Hear until the connection is lost; what was told before that is recalled."""
        async with self.store.bus.heard(TOPIC) as messages:
            await self._recall(parties)
            async for message in messages:
                self._heard(message, parties)

    async def _recall(self, parties: Sequence[Party]) -> None:
        """Learn what happened while nobody here listened."""
        for party in parties:
            for key in party.keys():  # noqa: SIM118 - a party is no mapping
                with suppress(UpstreamUnavailable):
                    raw = await self.store.kept.get(key)
                    news = [read_news(line) for line in (raw or b"").splitlines()]
                    party.recalled(key, [one for one in news if one is not None])

    def _heard(self, message: bytes, parties: Sequence[Party]) -> None:
        news = read_news(message)
        if news is None or news.origin == self.origin:
            return
        for party in parties:
            party.heard(news)
