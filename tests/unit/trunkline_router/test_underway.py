"""Calls that are cut short: what their callers hear, and what becomes of their tasks."""

import asyncio
from dataclasses import dataclass, field

import pytest

from trunkline_router.model import Call, Caller, Era, Outcome, Request, Unheard
from trunkline_router.underway import Underway
from trunkline_shared.errors import Cancelled

pytestmark = pytest.mark.anyio


def call() -> Call:
    request = Request(
        id=1, method="tools/call", params={}, era=Era.MODERN, channel=Unheard(), received=0.0
    )
    caller = Caller(subject="local", scopes=frozenset())
    return Call(request=request, caller=caller, server="a", name="x", deadline=1.0)


@dataclass(frozen=True, slots=True)
class Silent:
    """A server that never answers."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, _: Call) -> Outcome:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError("nothing ends this wait but a cancellation")


async def test_a_call_that_is_cut_short_says_so_and_leaves_its_task_as_it_was() -> None:
    """Cutting a call short cancels the wait for its server, and nothing after that."""
    underway, server = Underway(), Silent()
    left: list[int] = []

    async def asking() -> None:
        with pytest.raises(Cancelled):
            await underway(call(), server)
        task = asyncio.current_task()
        left.append(task.cancelling() if task is not None else -1)

    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        tasks.create_task(asking())
        await server.asked.wait()
        underway.cut_short(waits_only=True)
        underway.cut_short()
        underway.cut_short()
        await underway.answered()
    assert left == [0]


@pytest.mark.parametrize("client_first", [True, False])
async def test_a_client_that_leaves_at_the_same_moment_is_not_held_back(
    *, client_first: bool
) -> None:
    """A task that somebody else has cancelled too ends as cancelled."""
    underway, server = Underway(), Silent()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        task = tasks.create_task(_ask(underway, server))
        await server.asked.wait()
        if client_first:
            task.cancel()
            underway.cut_short()
        else:
            underway.cut_short()
            task.cancel()
        await asyncio.wait({task})
    assert task.cancelled()


async def _ask(underway: Underway, server: Silent) -> Outcome:
    return await underway(call(), server)
