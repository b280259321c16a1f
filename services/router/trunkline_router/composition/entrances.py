"""The ways into the mesh for clients of every revision, made from one plan."""

from dataclasses import dataclass

from mcp_types.version import OLDEST_SUPPORTED_VERSION

from trunkline_router.catalogue.instructions import Health
from trunkline_router.catalogue.paging import Pages
from trunkline_router.composition.plan import Plan
from trunkline_router.core import Core
from trunkline_router.edges.mcp import Endpoint
from trunkline_router.edges.session import SessionEndpoint
from trunkline_router.identity.address_check import AddressCheck
from trunkline_router.identity.callers import Callers
from trunkline_router.identity.door import Door
from trunkline_router.legacy import Legacy
from trunkline_router.modern import Modern
from trunkline_router.sessions.session import Session
from trunkline_router.sessions.sessions import Sessions
from trunkline_router.span import Recorder
from trunkline_router.telemetry.session_durations import SessionDurations
from trunkline_router.underway import Underway
from trunkline_shared.cursor import Cursors


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """What every way in leads to: the core, and how the servers stand."""

    core: Core
    health: Health


def sessions_of(
    plan: Plan, entered: Entered, underway: Underway, durations: SessionDurations
) -> Sessions:
    """Return the sessions of legacy clients, which replicas share."""
    sessions = Sessions.of(
        core=entered.core,
        dialect=Legacy(catalog=entered.core.catalog, health=entered.health, pages=_pages(plan)),
        signing=plan.signing,
        store=plan.store,
        clock=plan.clock,
        limits=plan.limits,
    )

    def ended(session: Session) -> None:
        # An event stream's session is older than its handshake, and of the one revision with those.
        version = OLDEST_SUPPORTED_VERSION if session.replica else session.version
        durations.ended(version, plan.clock.now() - session.issued)

    sessions.on_end.append(ended)
    plan.links.session_ends.append(durations.left)
    underway.on_cut.append(sessions.questions.give_up)
    sessions.answering.rounds.on_given_up.append(plan.fleet.abandon)
    return sessions


def endpoint_of(plan: Plan, entered: Entered, sessions: Sessions) -> Endpoint:
    """Return the endpoint of Streamable HTTP, for both eras."""
    return Endpoint(
        core=entered.core,
        modern=Modern(
            catalog=entered.core.catalog,
            health=entered.health,
            clock=plan.clock,
            pages=_pages(plan),
        ),
        legacy=SessionEndpoint(sessions=sessions, limits=plan.limits),
        clock=plan.clock,
        limits=plan.limits,
    )


def _pages(plan: Plan) -> Pages:
    return Pages(
        cursors=Cursors(plan.signing.derived("lists")),
        length=lambda: plan.live.now.router.page,
    )


def door_of(plan: Plan, callers: Callers, recorder: Recorder) -> Door:
    """Return who decides about coming in at all."""
    settings = plan.settings
    address = AddressCheck.of(
        settings.host, settings.public_url, settings.allowed_origins, settings.internal_url
    )
    return Door(address=address, callers=callers, recorder=recorder)
