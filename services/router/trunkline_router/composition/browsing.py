"""The dashboard's page and the way into it, as a plan wants them."""

from trunkline_router.composition.plan import Plan
from trunkline_router.edges.dashboard import Dashboard
from trunkline_router.edges.login import LoginPage
from trunkline_router.identity.callers import Callers
from trunkline_router.identity.failed_logins import FailedLogins


def dashboard_of(plan: Plan, callers: Callers) -> Dashboard:
    """Return what browsers are given."""
    failed = FailedLogins(plan.clock)
    return Dashboard(login=LoginPage(callers=callers, failed=failed, limits=plan.limits))
