"""What is told, claimed and read, whatever the store does."""

import asyncio

import pytest

from trunkline_router.configuration.entries import BreakerTerms
from trunkline_router.protection.breaker import Cause, State
from trunkline_router.protection.breakers import Breakers
from trunkline_router.protection.news import BreakerNews, read_news
from trunkline_router.protection.sharing import TOPIC, Sharing
from trunkline_router.protection.verdict import Verdict
from trunkline_shared.store.store import Store, in_process_store
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


def router(store: Store, clock: FakeClock) -> Breakers:
    """Return the breakers of one router over the server `a`."""
    return Breakers(
        clock=clock,
        sharing=Sharing(store=store, clock=clock),
        terms=lambda _: BreakerTerms(),
        servers=("a",),
    )


def fail(breakers: Breakers, times: int) -> None:
    """Let so many calls fail."""
    for _ in range(times):
        permit = breakers.of("a").breaker.permit
        breakers.note("a", permit, Verdict.FAILED)


async def settle() -> None:
    """Let everything run that can."""
    for _ in range(50):
        await asyncio.sleep(0)


@pytest.mark.requirement("gateway.breaker-shared")
async def test_a_reset_holds_everywhere() -> None:
    """Closed at the router that is told, and at the others a moment later."""
    clock = FakeClock()
    store = in_process_store(clock)
    here, there = router(store, clock), router(store, clock)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(one.sharing.run([one])) for one in (here, there)]
        await settle()
        fail(here, 3)
        await settle()
        assert there.of("a").breaker.state is State.OPEN
        there.reset("a")
        await settle()
        assert here.of("a").breaker.state is State.CLOSED
        for task in running:
            task.cancel()


async def test_words_of_another_version_are_no_harm() -> None:
    """Garbage, unknown subjects and servers are passed over."""
    clock = FakeClock()
    store = in_process_store(clock)
    breakers = router(store, clock)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(breakers.sharing.run([breakers]))
        await settle()
        stranger = BreakerNews(origin="x", at=1, server="b", kind="opened", failures=3)
        negative = b'{"about": "breaker", "origin": "x", "at": 1, "server": "a", "failures": -1}'
        for raw in (b"\xff", b"{}", b'{"about": "weather"}', negative):
            assert read_news(raw) is None
            await store.bus.publish(TOPIC, raw)
        await store.bus.publish(TOPIC, stranger.model_dump_json().encode())
        await settle()
        assert breakers.of("a").breaker.state is State.CLOSED
        assert not breakers.of("b").breaker.failures
        running.cancel()


async def test_failures_that_two_routers_see_at_once_are_two() -> None:
    """Each tells its own; the third, wherever, opens both."""
    clock = FakeClock()
    store = in_process_store(clock)
    here, there = router(store, clock), router(store, clock)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(one.sharing.run([one])) for one in (here, there)]
        await settle()
        fail(here, 1)
        fail(there, 1)
        await settle()
        assert [one.of("a").breaker.failures for one in (here, there)] == [2, 2]
        fail(there, 1)
        await settle()
        assert [one.of("a").breaker.state for one in (here, there)] == [State.OPEN] * 2
        assert here.of("a").breaker.cause is Cause.ANSWER
        for task in running:
            task.cancel()
