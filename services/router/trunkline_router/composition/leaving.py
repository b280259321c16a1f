"""Serving on a socket, and the order in which that ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from trunkline_router.composition.openings import Openings
from trunkline_router.composition.plan import Plan
from trunkline_router.edges.http_server import HttpServer, Paths
from trunkline_router.standing import Standing
from trunkline_router.traffic import Traffic
from trunkline_router.underway import Underway
from trunkline_shared.departure import Departure


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """What ends, and how long that may take; seconds.

    Readiness goes first. For `drain_s` everything is served as before, so that whoever shares out
    connections sees it and sends no new ones. Then the listener closes, streams and waits end, and
    calls may take `finish_s`; those that take longer are told so. In a hurry nothing waits beyond
    `close_s`.
    """

    departure: Departure
    standing: Standing
    underway: Underway
    drain_s: float
    finish_s: float
    close_s: float

    @asynccontextmanager
    async def serving(self, openings: Openings, paths: Paths) -> AsyncIterator[None]:
        """Serve HTTP on what is opened for the length of the block, and end in order."""
        traffic = Traffic(paths)
        runner = web.ServerRunner(
            HttpServer(traffic, self.departure), shutdown_timeout=self.close_s
        )
        await runner.setup()
        await openings.begin(runner)
        try:
            yield
        finally:
            if not self.departure.begun:
                self.departure.begin()
            await self.departure.grace(self.drain_s)
            await openings.end()
            self.standing.end()
            self.underway.cut_short(waits_only=True)
            await self._finished(traffic)
            self.underway.cut_short()
            await runner.cleanup()

    async def _finished(self, traffic: Traffic[Paths]) -> None:
        """Wait for what is in hand, as long as there is time for it."""
        async with asyncio.TaskGroup() as tasks:
            idle = tasks.create_task(self._idle(traffic))
            patience = tasks.create_task(self._patience())
            await asyncio.wait({idle, patience}, return_when=asyncio.FIRST_COMPLETED)
            idle.cancel()
            patience.cancel()

    async def _idle(self, traffic: Traffic[Paths]) -> None:
        await traffic.idle()
        await self.underway.answered()

    async def _patience(self) -> None:
        await self.departure.grace(self.finish_s)
        if self.departure.hurried:
            await asyncio.sleep(self.close_s / 2)


def leaving_of(plan: Plan, standing: Standing) -> Leaving:
    """Return how a router ends, as its plan wants it."""
    return Leaving(
        departure=plan.around.departure,
        standing=standing,
        underway=Underway(),
        drain_s=plan.settings.grace_s,
        finish_s=plan.settings.finish_s,
        close_s=plan.limits.close_s,
    )


def openings_of(plan: Plan) -> Openings:
    """Return what a router takes connections from, as its plan wants it."""
    seat = plan.around.seat
    return Openings([plan.on]) if seat is None else seat.openings
