"""Whose turn it is: forced interleavings, no clock but the one that the test holds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from trunkline_bridge.query.slots import Slots
from trunkline_shared.errors import Overloaded
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("bridge.query-slots")]


@dataclass(kw_only=True)
class Crowd:
    """Callers that come one after the other; each holds its slot until it is sent away."""

    slots: Slots
    tasks: asyncio.TaskGroup
    inside: list[str] = field(default_factory=list)
    gone: dict[str, asyncio.Event] = field(default_factory=dict)
    come: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def comes(self, *names: str, seconds: float = 60) -> None:
        """Let these come in turn; a name begins with the caller's letter."""
        for name in names:
            self.gone[name] = asyncio.Event()
            self.come[name] = self.tasks.create_task(self._one(name, seconds))
            await settled()

    async def goes(self, name: str) -> None:
        """Let one go that has a slot."""
        self.gone[name].set()
        await settled()

    async def gives_up(self, name: str) -> None:
        """Let one leave the queue, or its slot, because its call is cancelled."""
        self.come[name].cancel()
        await settled()

    async def _one(self, name: str, seconds: float) -> None:
        async with self.slots.taken(name[0], seconds):
            self.inside.append(name)
            try:
                await self.gone[name].wait()
            finally:
                self.inside.remove(name)


async def settled() -> None:
    """Let every task run until it waits."""
    for _ in range(10):
        await asyncio.sleep(0)


@asynccontextmanager
async def crowd(*, total: int = 2, per_caller: int = 1, queue: int = 6) -> AsyncIterator[Crowd]:
    """Open the slots; all who are left go at the end, and nothing stays behind."""
    slots = Slots(total=total, per_caller=per_caller, queue=queue, clock=FakeClock())
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        here = Crowd(slots=slots, tasks=tasks)
        yield here
        for event in here.gone.values():
            event.set()
    assert (slots.running, slots.queued) == (0, 0)


async def test_who_comes_first_is_served_first() -> None:
    """Of callers that may have a slot."""
    async with crowd() as here:
        await here.comes("a1", "b1", "c1", "d1")
        assert here.inside == ["a1", "b1"]
        await here.goes("b1")
        assert here.inside == ["a1", "c1"]
        await here.goes("a1")
        assert here.inside == ["c1", "d1"]


async def test_one_caller_cannot_have_all_slots_nor_hold_up_the_others() -> None:
    """Its second waits though a slot is free; another caller's first goes past it."""
    async with crowd() as here:
        await here.comes("a1", "a2", "b1")
        assert here.inside == ["a1", "b1"]
        await here.goes("b1")
        assert here.inside == ["a1"]
        assert here.slots.queued == 1
        await here.goes("a1")
        assert here.inside == ["a2"]


async def test_a_full_queue_refuses_at_once() -> None:
    """With how many run and wait, and when to come back."""
    async with crowd(total=1, queue=2) as here:
        await here.comes("a1", "b1", "c1")
        with pytest.raises(Overloaded) as caught:
            async with here.slots.taken("d", 60):
                raise AssertionError
    assert caught.value.retryable
    assert caught.value.details == {
        "running": 1, "running_yours": 0, "queued": 2, "total": 1, "per_caller": 1
    }  # fmt: skip
    assert caught.value.retry_after == 60


async def test_one_caller_cannot_fill_the_queue() -> None:
    """Half of it is the most; the others' half is free."""
    async with crowd(total=1, queue=4) as here:
        await here.comes("a1", "a2", "a3")
        with pytest.raises(Overloaded):
            async with here.slots.taken("a", 60):
                raise AssertionError
        await here.comes("b1", "b2")
        assert here.slots.queued == 4


@pytest.mark.parametrize("seconds", [0, -1])
async def test_who_has_no_time_to_wait_gets_a_free_slot_or_none(seconds: float) -> None:
    """Nobody is queued who could not wait."""
    async with crowd(total=1) as here:
        await here.comes("a1", seconds=seconds)
        assert here.inside == ["a1"]
        with pytest.raises(Overloaded):
            async with here.slots.taken("b", seconds):
                raise AssertionError


async def test_a_wait_that_is_over_is_told_and_leaves_no_trace() -> None:
    """The time is what the caller had for waiting."""
    async with crowd(total=1) as here:
        await here.comes("a1")
        with pytest.raises(Overloaded, match="none became free"):
            async with here.slots.taken("b", 0.01):
                raise AssertionError
        assert here.slots.queued == 0


async def test_who_gives_up_in_the_queue_is_passed_over() -> None:
    """The next has its turn."""
    async with crowd(total=1) as here:
        await here.comes("a1", "b1", "c1")
        await here.gives_up("b1")
        await here.goes("a1")
        assert here.inside == ["c1"]


async def test_a_slot_given_to_one_who_gives_up_at_that_moment_goes_to_the_next() -> None:
    """Both happen before either task runs again."""
    async with crowd(total=1) as here:
        await here.comes("a1", "b1", "c1")
        here.come["a1"].cancel()
        await asyncio.sleep(0)
        here.come["b1"].cancel()
        await settled()
        assert here.inside == ["c1"]


async def test_one_who_gave_up_a_moment_before_is_given_nothing() -> None:
    """Its cancellation is on its way when the slot becomes free."""
    async with crowd(total=1) as here:
        await here.comes("a1", "b1", "c1")
        here.come["b1"].cancel()
        here.gone["a1"].set()
        await settled()
        assert here.inside == ["c1"]


async def test_a_run_that_is_cut_short_gives_its_slot_back() -> None:
    """Cancelled inside."""
    async with crowd(total=1) as here:
        await here.comes("a1", "b1")
        await here.gives_up("a1")
        assert here.inside == ["b1"]


async def test_when_to_come_back_follows_from_how_long_runs_take() -> None:
    """Learned from those that have ended, and never more than two minutes."""
    clock = FakeClock()
    slots = Slots(total=1, per_caller=1, queue=0, clock=clock)
    for _ in range(40):
        async with slots.taken("a", 0):
            clock.advance(3)
    async with slots.taken("a", 0):
        with pytest.raises(Overloaded) as caught:
            async with slots.taken("b", 60):
                raise AssertionError
    assert caught.value.retry_after == 4
    slots.typical_s = 10_000
    async with slots.taken("a", 0):
        with pytest.raises(Overloaded) as longest:
            async with slots.taken("b", 60):
                raise AssertionError
    assert longest.value.retry_after == 120
