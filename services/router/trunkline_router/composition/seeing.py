"""The pages about what happens, made from one plan."""

from collections.abc import Callable
from dataclasses import dataclass

from trunkline_router.composition.plan import Plan
from trunkline_router.edges.audit_page import AuditPage
from trunkline_router.edges.events_page import EventsPage
from trunkline_router.edges.others import Others
from trunkline_router.edges.otlp import OtlpEndpoint
from trunkline_router.edges.seeing import SeeingPages
from trunkline_router.edges.series_page import SeriesPage
from trunkline_router.edges.siblings import Siblings
from trunkline_router.edges.status import Status
from trunkline_router.edges.tokens_page import TokensPage
from trunkline_router.edges.traces_page import TracesPage
from trunkline_router.standing import Standing
from trunkline_router.telemetry.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the pages show besides what is told of calls."""

    status: Status
    standing: Standing
    siblings: Siblings | None


def sends_of(plan: Plan) -> Callable[[str], bool]:
    """Return what says whether a server is the mesh's own, and may thus send its spans here."""

    def sends(server: str) -> bool:
        member = plan.fleet.members.get(server)
        return member is not None and member.built_in and bool(plan.mesh_headers)

    return sends


def seeing_of(plan: Plan, telemetry: Telemetry, seen: Seen) -> SeeingPages:
    """Return the pages."""
    siblings = seen.siblings
    return SeeingPages(
        traces=TracesPage(traces=telemetry.traces, pending=telemetry.pending, sends=sends_of(plan)),
        series=SeriesPage(series=telemetry.series, pending=telemetry.pending),
        events=EventsPage(
            telemetry=telemetry,
            status=seen.status,
            standing=seen.standing,
            limits=plan.limits,
            others=None if siblings is None else Others(siblings),
        ),
        audit=AuditPage(audited=plan.recent_audit),
        spans=OtlpEndpoint(
            traces=telemetry.traces,
            mesh_headers=plan.mesh_headers,
            limits=plan.limits,
            pass_on=_nobody if siblings is None else siblings.tell_spans,
        ),
        tokens=TokensPage(operations=telemetry.operations, pending=telemetry.pending),
    )


def _nobody(_: bytes) -> None:
    """Tell nobody: one process has all traces."""
