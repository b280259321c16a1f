"""All that protects the servers and their callers, put together."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Self

from trunkline_router.configuration.entries import BreakerTerms, Configuration
from trunkline_router.fleet import Fleet
from trunkline_router.model import Json
from trunkline_router.pipeline import Stage
from trunkline_router.ports import Upstream
from trunkline_router.protection.breaker import State
from trunkline_router.protection.breakers import Breakers
from trunkline_router.protection.probing import Probing
from trunkline_router.protection.sharing import Sharing
from trunkline_router.protection.stages import BreakerStage, BulkheadStage, CapStage, ThrottleStage
from trunkline_router.protection.windows import Windows
from trunkline_shared.clock import Clock
from trunkline_shared.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarded:
    """What is guarded, and by what time; `configuration` is what holds at the moment."""

    fleet: Fleet
    upstream: Upstream
    store: Store
    clock: Clock
    configuration: Callable[[], Configuration]
    margin_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """The stages of the pipeline, what runs beside them, and how all of it stands."""

    breakers: Breakers
    bulkheads: BulkheadStage
    windows: Windows
    cap: CapStage
    probing: Probing
    sharing: Sharing
    fleet: Fleet
    clock: Clock

    @classmethod
    def of(cls, guarded: Guarded) -> Self:
        """Put the parts together; nothing is asked yet."""
        clock, fleet, configuration = guarded.clock, guarded.fleet, guarded.configuration
        sharing = Sharing(store=guarded.store, clock=clock)

        def terms(server: str) -> BreakerTerms:
            member = fleet.get(server)
            return (member.entry.breaker if member else None) or configuration().router.breaker

        breakers = Breakers(clock=clock, sharing=sharing, terms=terms, servers=fleet)
        return cls(
            breakers=breakers,
            bulkheads=BulkheadStage(
                fleet=fleet, breakers=breakers, clock=clock, margin_s=guarded.margin_s
            ),
            windows=Windows(
                clock=clock,
                sharing=sharing,
                trusted=fleet.owns,
                own=lambda: {key.id for key in configuration().keys if key.credentials},
            ),
            cap=CapStage(most=lambda: configuration().router.result_bytes),
            probing=Probing(
                upstream=guarded.upstream,
                breakers=breakers,
                sharing=sharing,
                clock=clock,
            ),
            sharing=sharing,
            fleet=fleet,
            clock=clock,
        )

    @property
    def stages(self) -> Sequence[Stage]:
        """What a call passes, in this order."""
        return (
            ThrottleStage(windows=self.windows),
            BreakerStage(breakers=self.breakers, owned=self.fleet.owns),
            self.bulkheads,
            self.cap,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Share findings and look after what is down for the length of the block."""
        async with asyncio.TaskGroup() as tasks:
            running = [
                tasks.create_task(self.sharing.run([self.breakers, self.windows])),
                tasks.create_task(self.probing.run()),
                tasks.create_task(self._following()),
            ]
            try:
                yield
            finally:
                await self.sharing.settle()
                for task in running:
                    task.cancel()

    async def _following(self) -> None:
        """Hold nothing against a server that the configuration has moved."""
        members = self.fleet.members
        while True:
            before, members = members, await self.fleet.changed(members)
            for server, member in before.items():
                if server not in members or members[server].link is not member.link:
                    self.breakers.forget(server)
                    self.bulkheads.forget(server)

    def admits(self, server: str) -> bool:
        """Say whether a call would reach the server."""
        breaker = self.breakers.of(server).breaker
        return breaker.state is State.CLOSED or breaker.may_probe(self.clock.monotonic())

    def failures(self, server: str) -> int:
        """Return how many calls in a row the server has failed."""
        return self.breakers.of(server).breaker.failures

    def is_available(self, server: str) -> bool:
        """Say whether a server answers, and calls reach it."""
        member = self.fleet.get(server)
        return member is not None and member.vitals.available and self.admits(server)

    def quota(self) -> Sequence[Json]:
        """Return the quotas that are exhausted, and for how long."""
        return self.windows.to_json()

    def to_json(self, server: str) -> Json:
        """Return what `/status` tells of a server's protection."""
        return {
            "breaker": self.breakers.of(server).to_json(server, self.clock.monotonic()),
            "queued": self.bulkheads.queued(server),
        }
