"""The pages about what happens, made from one plan."""

from trunkline_router.composition.plan import Plan
from trunkline_router.edges.audit_page import AuditPage
from trunkline_router.edges.events_page import EventsPage
from trunkline_router.edges.otlp import OtlpEndpoint
from trunkline_router.edges.seeing import SeeingPages
from trunkline_router.edges.series_page import SeriesPage
from trunkline_router.edges.status import Status
from trunkline_router.edges.tokens_page import TokensPage
from trunkline_router.edges.traces_page import TracesPage
from trunkline_router.standing import Standing
from trunkline_router.telemetry.telemetry import Telemetry


def seeing_of(plan: Plan, telemetry: Telemetry, status: Status, standing: Standing) -> SeeingPages:
    """Return the pages."""

    def sends(server: str) -> bool:
        """Say whether a server is the mesh's own, and may thus send its spans here."""
        member = plan.fleet.members.get(server)
        return member is not None and member.built_in and bool(plan.mesh_headers)

    return SeeingPages(
        traces=TracesPage(traces=telemetry.traces, pending=telemetry.pending, sends=sends),
        series=SeriesPage(series=telemetry.series, pending=telemetry.pending),
        events=EventsPage(
            telemetry=telemetry, status=status, standing=standing, limits=plan.limits
        ),
        audit=AuditPage(audited=plan.recent_audit),
        spans=OtlpEndpoint(
            traces=telemetry.traces, mesh_headers=plan.mesh_headers, limits=plan.limits
        ),
        tokens=TokensPage(operations=telemetry.operations, pending=telemetry.pending),
    )
