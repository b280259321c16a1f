"""What is measured, as a plan wants it read, and sent."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Never

from trunkline_router.adapters.audit_file import AuditFile
from trunkline_router.cache.cache import Cache
from trunkline_router.cache.report import CacheReport
from trunkline_router.composition.plan import Plan
from trunkline_router.measures.sender import Snapshot
from trunkline_router.protection.protection import Protection
from trunkline_router.readings.of_servers import Servers
from trunkline_router.readings.readings import Readings
from trunkline_router.telemetry.telemetry import Telemetry
from trunkline_router.underway import Underway
from trunkline_shared.clock import Clock
from trunkline_shared.telemetry import dropped_spans

log = logging.getLogger(__name__)


def readings_of(
    plan: Plan, cache: Cache, protection: Protection, telemetry: Telemetry, underway: Underway
) -> Readings:
    """Return what reads all instruments."""

    def audited() -> dict[str, int]:
        trail = plan.recent_audit.then
        if not isinstance(trail, AuditFile):
            return {}
        return {"written": trail.written, "lost": trail.lost}

    return Readings(
        cache=CacheReport(cache=cache),
        servers=Servers(fleet=plan.fleet, protection=protection),
        telemetry=telemetry,
        underway=lambda: underway.running,
        audited=audited,
        dropped=dropped_spans,
    )


@asynccontextmanager
async def sending(plan: Plan, readings: Readings) -> AsyncIterator[None]:
    """Have readings sent, where somebody sends them: now and then, and at the block's end."""
    sender, since = plan.around.metrics, plan.clock.now()
    if sender is None:
        yield
        return

    def send() -> None:
        sender.put(Snapshot(at=plan.clock.now(), since=since, readings=readings()))

    async with asyncio.TaskGroup() as tasks:
        repeating = tasks.create_task(_repeat(plan.clock, sender.every_s, send))
        try:
            yield
        finally:
            repeating.cancel()
            send()


async def _repeat(clock: Clock, every_s: float, send: Callable[[], None]) -> Never:
    while True:
        await clock.sleep(every_s)
        try:
            send()
        except Exception:
            log.exception("the metrics could not be read")
