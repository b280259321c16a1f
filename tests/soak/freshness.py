"""Routers, agents and faults together: a history, and what of it breaks the promise."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from aiohttp import web

from tests.redis_process import RedisProcess, running_redis
from tests.soak.agents import Agent, Terms, Work
from tests.soak.faults import Faults
from tests.soak.history import wrong
from tests.soak.lagging_vendor import Library
from tests.soak.replica import replicas

READERS, WRITERS = 60, 8
"""Those who write wait for long while a router owes the others a bump: the readers go on."""
WRITES = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is done: `operations` at least, over two routers, by a seed.

    With `lags`, the vendor's reads are behind its own writes by up to five seconds. Faults begin
    after `warm_s`, and are `quiet_s` apart; those that silence a router last about `long_s`.
    """

    operations: int
    seed: int
    lags: bool = False
    warm_s: float = 4.0
    quiet_s: float = 0.5
    long_s: float = 4.0
    shelves: int = 20
    books: int = 15


@dataclass(slots=True, kw_only=True)
class Run:
    """What a run came to."""

    plan: Plan
    operations: int = 0
    asked: int = 0
    writes: int = 0
    sources: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def reads(self) -> int:
        return sum(self.sources.values()) - self.sources["written"]


def prove_freshness(plan: Plan) -> Run:
    """Run two router processes on one Redis with faults, and judge the history."""
    with tempfile.TemporaryDirectory(prefix="tl-") as folder, running_redis() as redis:
        return asyncio.run(_with_faults(plan, redis, Path(folder)))


async def _with_faults(plan: Plan, redis: RedisProcess, folder: Path) -> Run:
    library, work = library_of(plan), Work(goal=plan.operations)
    async with (
        lending(library) as url,
        replicas(2, url, redis, folder) as routers,
    ):
        faults = Faults(
            quiet_s=plan.quiet_s,
            long_s=plan.long_s,
            redis=redis,
            routers=routers,
            work=work,
            rng=_rng(plan, "faults"),
        )
        ports = [router.port for router in routers]

        async def until_enough() -> None:
            await asyncio.sleep(plan.warm_s)
            await faults.run()

        await worked(plan, ports, work, until_enough)
    run = judged(plan, library, work)
    run.faults.update(faults.done)
    return run


def library_of(plan: Plan) -> Library:
    """Return the vendor of a plan."""
    return Library(rng=_rng(plan, "library"), lags=plan.lags, books=plan.books)


@asynccontextmanager
async def lending(library: Library) -> AsyncIterator[str]:
    """Serve the vendor; yields its URL."""
    loop = asyncio.get_running_loop()
    http = web.Server(library.handle, access_log=None)
    server = await loop.create_server(http, "127.0.0.1", 0, backlog=1024)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await http.shutdown(0.1)


async def worked(
    plan: Plan, ports: Sequence[int], work: Work, until: Callable[[], Awaitable[object]]
) -> None:
    """Have agents work until something has ended."""
    terms = Terms(ports=ports, shelves=plan.shelves, books=plan.books)
    async with asyncio.TaskGroup() as tasks:
        for number in range(READERS + WRITERS):
            agent = Agent(
                name=f"a{number}",
                writes=WRITES if number < WRITERS else 0.0,
                terms=terms,
                work=work,
                rng=_rng(plan, f"agent {number}"),
            )
            tasks.create_task(agent.run())
        await until()
        work.done.set()


def judged(plan: Plan, library: Library, work: Work) -> Run:
    """Return what a history came to."""
    return Run(
        plan=plan,
        operations=work.operations,
        asked=library.asked,
        writes=len(work.history.writes),
        sources=work.sources,
        failures=work.failures,
        wrong=wrong(work.history, library.applied, lags=plan.lags),
    )


def _rng(plan: Plan, of: str) -> Random:
    return Random(f"{plan.seed}:{of}")  # noqa: S311 - to be repeated, not to be secret
