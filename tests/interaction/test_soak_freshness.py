"""A small share of the histories, and the proof that whoever judges them can say no."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

import pytest

from tests.interaction.mesh import routing
from tests.soak.agents import Work
from tests.soak.freshness import Plan, Run, judged, lending, library_of, worked
from tests.soak.history import History, Read, Write, wrong
from tests.soak.lagging_vendor import SERVER, Applied
from tests.soak.proofs import Size, freshness_page, prove_histories
from trunkline_shared.store.generation_port import Generations, Membership, Reading
from trunkline_shared.store.store import in_process_store

SHARE = Size(share=0.02, seed=1)
KINDS_OF_FAULTS = 8


@pytest.mark.timeout(240)
@pytest.mark.requirement("cache.soak-freshness")
def test_no_read_is_older_than_a_write_that_has_returned() -> None:
    """Two router processes, a real Redis, and everything that can happen to them."""
    (run,) = prove_histories(SHARE)
    assert run.wrong == []
    assert run.operations >= 4_000
    assert run.writes > 50
    assert run.sources["cache"] > 50
    assert len(run.faults) == KINDS_OF_FAULTS
    assert not [name for name in run.failures if "INTERNAL_ERROR" in name]
    assert "| reads from before a write | 0 |" in freshness_page(SHARE, [run])


@dataclass(frozen=True, slots=True, kw_only=True)
class Unspoiled:
    """Generations that no write changes."""

    real: Generations

    async def read(self, names: Sequence[str]) -> Reading | None:
        return await self.real.read(names)

    async def bump(self, names: Sequence[str], *, hold_s: float) -> None:
        """Change nothing."""

    def joined(self, terms: Membership) -> AbstractAsyncContextManager[None]:
        return self.real.joined(terms)

    def state(self) -> dict[str, object]:
        return dict(self.real.state())


async def in_one_process(plan: Plan, *, broken: bool) -> Run:
    """Run the agents before two routers in this process."""
    library, work = library_of(plan), Work(goal=plan.operations)
    store = in_process_store()
    if broken:
        store = replace(store, generations=Unspoiled(real=store.generations))

    async with (
        lending(library) as url,
        routing({SERVER: url}, store=store) as one,
        routing({SERVER: url}, store=store) as other,
    ):
        await worked(plan, [one.port, other.port], work, work.met.wait)
    return judged(plan, library, work)


@pytest.mark.anyio
@pytest.mark.requirement("cache.soak-freshness")
@pytest.mark.parametrize("broken", [False, True])
async def test_routers_that_spoil_nothing_are_found_out(*, broken: bool) -> None:
    """The same agents, the same judge: it lets sound routers pass, and no broken ones."""
    run = await in_one_process(Plan(operations=1_500, seed=2, shelves=4, books=6), broken=broken)
    assert bool(run.wrong) is broken
    assert run.sources["cache"] > 50


def _read(start: float, number: int, **changes: object) -> Read:
    read = Read(
        shelf=1,
        start=start,
        end=start + 0.1,
        number=number,
        shown={7: number},
        source="cache",
        router=0,
    )
    return replace(read, **changes)  # type: ignore[arg-type]  # as the test says


def _write(nonce: str, start: float, end: float, book: int | None = 7) -> Write:
    return Write(nonce=nonce, shelf=1, book=book, start=start, end=end)


WRITE = _write("a", 10, 11)
DONE = {"a": Applied(5, 10.5)}


@pytest.mark.requirement("cache.soak-freshness")
@pytest.mark.parametrize(
    ("read", "write", "done", "lags", "is_wrong"),
    [
        (_read(11.1, 4), WRITE, DONE, False, True),
        (_read(11.1, 5), WRITE, DONE, False, False),
        (_read(10.9, 4), WRITE, DONE, False, False),
        (_read(11.1, 4, shown={8: 0}), WRITE, DONE, False, False),
        (_read(11.1, 4, shown={8: 0, 7: 4}), WRITE, DONE, False, True),
        (_read(11.1, 4, shelf=2), WRITE, DONE, False, False),
        (_read(11.1, 4), _write("a", 10, 11, book=None), DONE, False, True),
        (_read(11.1, 4), _write("lost", 10, 11), DONE, False, False),
        (_read(11.1, 4), WRITE, {"a": Applied(5, 11.05)}, False, True),
        (_read(11.1, 4, source="upstream"), WRITE, {"a": Applied(5, 11.05)}, False, False),
        (_read(80, 4), WRITE, {"a": Applied(5, 79)}, False, False),
        (_read(13, 6, shown={7: 0}), WRITE, DONE, True, False),
        (_read(17, 6, shown={7: 0}), WRITE, DONE, True, True),
        (_read(17, 6, shown={7: 5}), WRITE, DONE, True, False),
    ],
)
def test_a_history_is_judged(
    read: Read, write: Write, done: dict[str, Applied], *, lags: bool, is_wrong: bool
) -> None:
    """What is fetched before, kept in doubt, or kept though the vendor lagged: each is found."""
    history = History(reads=[read], writes=[write])
    assert bool(wrong(history, done, lags=lags)) is is_wrong


@pytest.mark.requirement("cache.soak-freshness")
def test_what_a_lost_store_knew_is_not_asked_of_it() -> None:
    """What was in doubt is not known any more after a fault; what has returned still counts."""
    late = {"a": Applied(5, 11.05)}
    history = History(reads=[_read(11.1, 4)], writes=[WRITE], faults=[10.8])
    assert wrong(history, late, lags=False) == []
    assert len(wrong(history, DONE, lags=False)) == 1
