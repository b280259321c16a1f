"""Telemetry, as a plan wants it."""

from trunkline_router.composition.plan import Plan
from trunkline_router.telemetry.telemetry import Telemetry


def telemetry_of(plan: Plan) -> Telemetry:
    """Return what records requests."""
    around = plan.around
    return Telemetry.of(
        plan.clock,
        kept=lambda: plan.live.now.router.traces.kept,
        exporters=around.exporters,
        witnesses=around.spans,
    )
