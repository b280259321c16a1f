"""What workers tell each other, as a plan wants it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trunkline_router.composition.plan import Plan
from trunkline_router.edges.operator_pages import OperatorPages
from trunkline_router.edges.siblings import Siblings
from trunkline_router.edges.worker_pages import WorkerPages


def siblings_of(plan: Plan) -> Siblings | None:
    """Return the other workers, None where there is one process."""
    seat = plan.around.seat
    if seat is None:
        return None
    return Siblings(folder=seat.folder, number=seat.share.number, of=seat.share.of)


@asynccontextmanager
async def told_to_siblings(operators: OperatorPages) -> AsyncIterator[None]:
    """Tell other workers what they ask, for the length of the block."""
    gathered = operators.gathered
    if gathered is None:
        yield
        return
    async with gathered.siblings.running(WorkerPages(own=operators, gathered=gathered)):
        yield
