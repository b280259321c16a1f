"""Watching the checkout: when it looks, what counts as a change."""

import asyncio
from pathlib import Path

import pytest
from mcp.server.subscriptions import ResourceUpdated, ServerEvent

from trunkline_branch_context.checkout import Checkout, checkout_at
from trunkline_branch_context.place import find_place
from trunkline_branch_context.settings import BranchContextSettings
from trunkline_branch_context.uris import BRANCHES_URI, TREE_URI, context_uri
from trunkline_branch_context.watch import AudienceBus, Watch, stamps
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.settings import load
from trunkline_shared.testing.git_repository import GitRepository

pytestmark = pytest.mark.anyio


def checkout_of(repository: GitRepository, clock: Clock) -> Checkout:
    """Return the checkout as the service would."""
    given = {**repository.environment, "repo_path": repository.path}
    return checkout_at(load(BranchContextSettings, given), clock)


class Ticks(SystemClock):
    """A clock whose waits end when a test says so."""

    def __init__(self) -> None:
        self.asked = asyncio.Semaphore(0)
        self.allowed = asyncio.Semaphore(0)

    async def sleep(self, seconds: float) -> None:
        assert seconds == 1.0
        self.asked.release()
        await self.allowed.acquire()

    async def tick(self) -> None:
        """Let one second pass, and return when the next wait has begun."""
        async with asyncio.timeout(5):
            self.allowed.release()
            await self.asked.acquire()


async def test_it_looks_only_while_somebody_listens(tmp_path: Path) -> None:
    """No listener, no look; the first one starts it, the last one to leave ends it."""
    repository = GitRepository.at(tmp_path)
    heard: list[ServerEvent] = []
    clock, bus = Ticks(), AudienceBus()
    watch = Watch(checkout=checkout_of(repository, clock), bus=bus)
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(watch.run())
        await asyncio.sleep(0)
        assert clock.asked.locked()
        leave = bus.subscribe(heard.append)
        await clock.asked.acquire()
        await clock.tick()
        assert heard == []
        repository.commit("more")
        await clock.tick()
        assert heard == [
            ResourceUpdated(uri=uri) for uri in (TREE_URI, BRANCHES_URI, context_uri("main"))
        ]
        leave()
        clock.allowed.release()
        running.cancel()


async def test_what_changes_at_the_moment_of_listening_is_heard(tmp_path: Path) -> None:
    """A listener is told to be one after a look: a change right then differs from that."""
    repository = GitRepository.at(tmp_path)
    heard: list[ServerEvent] = []
    clock, bus = Ticks(), AudienceBus()
    watch = Watch(checkout=checkout_of(repository, clock), bus=bus)
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        await watch.begin()
        bus.subscribe(heard.append)
        repository.commit("at once")
        running = tasks.create_task(watch.run())
        await clock.asked.acquire()
        await clock.tick()
        assert ResourceUpdated(uri=TREE_URI) in heard
        running.cancel()


async def test_who_comes_second_does_not_spoil_the_look_of_the_first(tmp_path: Path) -> None:
    """A look that ends when somebody listens already is not the one to compare with."""
    repository = GitRepository.at(tmp_path)
    heard: list[ServerEvent] = []
    bus = AudienceBus()
    watch = Watch(checkout=checkout_of(repository, SystemClock()), bus=bus)
    await watch.begin()
    second = asyncio.ensure_future(watch.begin())
    await asyncio.sleep(0)
    bus.subscribe(heard.append)
    repository.commit("between")
    await second
    await watch.poll()
    assert ResourceUpdated(uri=TREE_URI) in heard


async def test_leaving_twice_counts_once() -> None:
    """The SDK may unsubscribe a listener again; others still count."""
    bus = AudienceBus()
    first, second = bus.subscribe(print), bus.subscribe(print)
    first()
    first()
    assert not bus.deserted
    second()
    assert bus.deserted


async def test_a_checkout_that_vanishes_and_returns_is_a_change(tmp_path: Path) -> None:
    """Failing to look is no change and no end of watching."""
    repository = GitRepository.at(tmp_path)
    heard: list[ServerEvent] = []
    bus = AudienceBus()
    bus.subscribe(heard.append)
    watch = Watch(checkout=checkout_of(repository, SystemClock()), bus=bus)
    await watch.poll()
    seen = len(heard)
    hidden = repository.path.rename(tmp_path / "hidden")
    await watch.poll()
    assert len(heard) == seen
    hidden.rename(repository.path)
    repository.commit("more")
    await watch.poll()
    assert len(heard) == 2 * seen


@pytest.mark.parametrize(
    "change",
    [
        *("commit", "update-ref refs/heads/deep/er/one HEAD", "symbolic-ref HEAD refs/heads/x"),
        *("pack-refs --all", "checkout -q --detach", "branch -q -m main trunk"),
    ],
)
async def test_whatever_moves_a_branch_changes_the_stamps(tmp_path: Path, change: str) -> None:
    """Commits, new branches, switches, packing, detaching, renaming."""
    repository = GitRepository.at(tmp_path)
    place = await find_place(checkout_of(repository, SystemClock()).git)
    before = stamps(place)
    if change == "commit":
        repository.commit("more")
    else:
        repository.git(*change.split())
    assert stamps(place) != before


async def test_an_untouched_checkout_keeps_its_stamps(tmp_path: Path) -> None:
    """Work in the tree and in the index is no news about branches."""
    repository = GitRepository.at(tmp_path)
    place = await find_place(checkout_of(repository, SystemClock()).git)
    before = stamps(place)
    repository.write("a.txt", "one")
    assert stamps(place) == before
