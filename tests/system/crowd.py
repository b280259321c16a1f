"""Fifty agents at work on a mesh while something happens to it, and what has to hold of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.system.agents import CLOCK, LOST, Answer, Crowd, agent
from tests.system.everyday import READS, reading
from tests.system.mesh_in_containers import MeshInContainers
from tests.system.writers import KINDS, Writer
from trunkline_shared.errors import BY_CODE

AGENTS = 50
ENOUGH = 3
MARGIN_S = 5
"""The router gives a server two seconds more than its time to say so; the rest is transit."""
UNHURRIED_S = 10
"""A call that nothing is wrong with: a third of its time. Writes to GitHub are a second apart."""
BACK_S = 10


@dataclass(kw_only=True)
class AtWork:
    """A crowd with its writers; `lost` are the servers that may fail for a while."""

    mesh: MeshInContainers
    crowd: Crowd
    writers: list[Writer] = field(default_factory=list)

    def now(self) -> float:
        """Return the moment, to ask later what was asked since."""
        return CLOCK.monotonic()

    async def served(self, since: float, servers: Iterable[str] = READS) -> None:
        """Wait until each of these has done well several times since, and never badly."""
        asked = list(servers)

        def done() -> bool:
            assert [one.shown for one in self.failed(since, *asked)] == []
            return all(len(self._done(since, server)) >= ENOUGH for server in asked)

        await self.crowd.when(done)

    async def refused(self, since: float, server: str) -> None:
        """Wait until several calls of a server have failed since."""
        await self.crowd.when(lambda: len(self.failed(since, server)) >= ENOUGH)

    async def well(self, since: float, servers: Iterable[str] = READS) -> float:
        """Wait until each server does its part again; return when the last one did."""
        async with asyncio.timeout(BACK_S + MARGIN_S):
            await self.crowd.when(lambda: all(self._done(since, server) for server in servers))
        return max(min(one.ended for one in self._done(since, server)) for server in servers)

    def failed(self, since: float, *servers: str) -> list[Answer]:
        """Return the calls of these servers, or of all, that failed since."""
        return [one for one in self.crowd.since(since, *servers) if not one.is_fine]

    def _done(self, since: float, server: str) -> list[Answer]:
        return [
            one
            for one in self.crowd.since(since, server)
            if one.is_fine and one.source == "upstream"
        ]


@asynccontextmanager
async def at_work(mesh: MeshInContainers) -> AsyncIterator[AtWork]:
    """Have fifty agents at work for the block, which begins when all servers have served them.

    At its end they finish, and nothing of what they wrote may stand there twice, be missing, or
    have been missing in a later read.
    """
    crowd = Crowd(url=mesh.url, key=mesh.key)
    writers = [Writer(kind=kind, crowd=crowd) for kind in KINDS.values()]
    working = AtWork(mesh=mesh, crowd=crowd, writers=writers)
    async with asyncio.TaskGroup() as tasks:
        for place in range(AGENTS - len(writers)):
            tasks.create_task(crowd.read(reading(place)))
        for writer in writers:
            tasks.create_task(writer.run())
        await working.served(0)
        try:
            yield working
        finally:
            crowd.done.set()


async def check_written(working: AtWork) -> None:
    """Nothing stands there twice, nothing that was confirmed is missing, no read was stale."""
    async with agent(working.mesh.url, working.mesh.key) as me:
        for writer in working.writers:
            counted = await writer.count(me)
            assert [key for key, times in counted.items() if times > 1] == [], writer.kind.server
            assert [key for key in writer.stood if counted[key] != 1] == [], writer.kind.server
            assert [key for key in writer.refused if counted[key]] == [], writer.kind.server
            assert [one.shown for one in writer.unseen] == [], writer.kind.server


def check_unaffected(answers: Iterable[Answer]) -> None:
    """These calls went well, and took no longer than calls do."""
    seen = list(answers)
    assert [one.shown for one in seen if not one.is_fine] == []
    assert [one.shown for one in seen if one.took_s > UNHURRIED_S] == []


def check_typed(answers: Iterable[Answer]) -> None:
    """Each of these calls was answered within its time, with a result or an error with a code."""
    seen = list(answers)
    assert Counter(one.code for one in seen if one.code not in {*BY_CODE, ""}) == Counter()
    assert [one.shown for one in seen if one.took_s > one.ask.timeout_s + MARGIN_S] == []


def check_never_lost(answers: Iterable[Answer]) -> None:
    """There was always a router."""
    assert [one.shown for one in answers if one.code == LOST] == []
