"""Pages with very much to show: calls are answered while they are made."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from time import perf_counter

import pytest
from aiohttp import web

from tests.interaction.wire import get
from tests.unit.trunkline_router.telemetry.spanning import NOW, call
from trunkline_router.edges.metrics import MetricsPage
from trunkline_router.edges.series_page import SeriesPage
from trunkline_router.edges.traces_page import PATH as TRACES
from trunkline_router.edges.traces_page import TracesPage
from trunkline_router.measures.instrument import Distribution, Reading
from trunkline_router.measures.operations import BOUNDS, SERVED
from trunkline_router.telemetry.pending import Pending
from trunkline_router.telemetry.series import Series
from trunkline_router.telemetry.trace_buffer import TraceBuffer
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
HOUR = 360
PENDING = Pending(())


def metrics() -> Handler:
    """Return a page of many label sets."""
    buckets = len(BOUNDS) + 1
    exemplar = (1.0, NOW, 1, 2)
    labels = [(*SERVED.labels[1:], str(number)) for number in range(300)]
    points = [Distribution(one, (3,) * buckets, 1.0, (exemplar,) * buckets) for one in labels]
    return MetricsPage(lambda: [Reading(SERVED, points)]).handle


def series() -> Handler:
    """Return a page of an hour in which many agents have called many tools."""
    clock = FakeClock(NOW)
    shown = Series(clock)
    calls = [call(1, tool=str(n), seconds=1 / n) for n in range(1, 51)]
    for step in range(HOUR):
        for one in calls:
            one.ended, one.started = NOW + 10 * step, NOW + 10 * step - (one.ended - one.started)
        clock.advance(NOW + 10 * step - clock.now())
        shown(calls)
    return SeriesPage(series=shown, pending=PENDING).handle


def traces() -> Handler:
    """Return a page of more traces than are kept."""
    kept = TraceBuffer(lambda: 5000)
    kept([call(number) for number in range(1, 5001)])
    page = TracesPage(traces=kept, pending=PENDING, sends=lambda _: False)

    async def handle(http: web.BaseRequest) -> web.StreamResponse:
        return await page.handle(http, TRACES)

    return handle


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[int]:
    """Serve a page on a socket; yields the port."""
    runner = web.ServerRunner(web.Server(handler))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


@pytest.fixture
def settled() -> Iterator[None]:
    """Leave what other tests have made out of collections, as a router does once it is ready."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


async def pauses(work: "asyncio.Task[object]") -> list[float]:
    """Return how long nobody else had a turn, each time, until some work was done."""
    found, last = [], perf_counter()
    while not work.done():
        await asyncio.sleep(0)
        now = perf_counter()
        found.append(now - last)
        last = now
    return found


@pytest.mark.requirement("seeing.pages-unhurried")
@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("page", [metrics, series, traces])
async def test_no_call_waits_until_a_long_page_is_made(page: Callable[[], Handler]) -> None:
    """The longest time without a turn for others is a part of what it takes in all."""
    async with serving(page()) as port, asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(get(port, "/?limit=5000"))
        waited = await pauses(asking)
        reply = await asking
    assert (reply.status, len(reply.body) > 10_000) == (200, True)
    assert max(waited) < sum(waited) / 3, (max(waited), sum(waited))
