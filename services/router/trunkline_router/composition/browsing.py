"""The dashboard's page and the way into it, as a plan wants them."""

from trunkline_router.composition.plan import Plan
from trunkline_router.edges import connect_page, session_page
from trunkline_router.edges.connect_page import ConnectPage
from trunkline_router.edges.dashboard import Dashboard
from trunkline_router.edges.login import LoginPage
from trunkline_router.edges.session_page import SessionPage
from trunkline_router.identity.callers import Callers
from trunkline_router.identity.failed_logins import MOST, FailedLogins
from trunkline_router.identity.scopes import LOGIN, LOGOUT


def dashboard_of(plan: Plan, callers: Callers) -> Dashboard:
    """Return what browsers are given."""
    # Of many workers each lets an address fail once all the same.
    failed = FailedLogins(plan.clock, max(1, plan.around.share.part(MOST)))
    login = LoginPage(callers=callers, failed=failed, limits=plan.limits)
    return Dashboard(
        pages={
            LOGIN: login,
            LOGOUT: login,
            session_page.PATH: SessionPage(callers=callers),
            connect_page.PATH: ConnectPage(
                url=f"{plan.base}/mcp", wants_keys=lambda: bool(plan.live.now.keys)
            ),
        }
    )
