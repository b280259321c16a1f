"""Telemetry, as a plan wants it."""

from dataclasses import replace

from trunkline_router.composition.plan import Plan
from trunkline_router.span import Recorder
from trunkline_router.telemetry.telemetry import Telemetry


def telemetry_of(plan: Plan) -> Telemetry:
    """Return what records requests."""
    around = plan.around
    telemetry = Telemetry.of(
        plan.clock,
        kept=lambda: plan.live.now.router.traces.kept,
        exporters=around.exporters,
        witnesses=around.spans,
    )
    if around.observes:
        return telemetry
    # Spans there are all the same: what is answered and what is recorded of writes name a trace.
    return replace(telemetry, recorder=Recorder(clock=plan.clock, ended=tuple(around.spans)))
