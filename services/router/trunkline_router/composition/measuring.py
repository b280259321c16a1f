"""What is measured, as a plan wants it read."""

from trunkline_router.adapters.audit_file import AuditFile
from trunkline_router.cache.cache import Cache
from trunkline_router.cache.report import CacheReport
from trunkline_router.composition.plan import Plan
from trunkline_router.protection.protection import Protection
from trunkline_router.readings.of_servers import Servers
from trunkline_router.readings.readings import Readings
from trunkline_router.telemetry.telemetry import Telemetry
from trunkline_router.underway import Underway
from trunkline_shared.telemetry import dropped_spans


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
