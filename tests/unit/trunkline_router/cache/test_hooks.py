"""Whose answers live longer: those whose every change is known to be told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from trunkline_router.cache.hooks import KEY, REMEMBERED_S, Hooked
from trunkline_router.cache.lesson import Known, Lesson, read_known
from trunkline_router.cache.needed_events import EVERY
from trunkline_router.configuration.cache_entry import CacheEntry
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.memory_kept import MemoryKept
from trunkline_shared.store.store import Store, in_process_store
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("webhook.lives")]

R = "gh:acme/widgets"
TERMS = CacheEntry(webhook_ttl_s=3600)
SERVER = "srv:github"
CHECK_EVENTS = ("check_run", "check_suite", "status", "workflow_run", "workflow_job")


class Changing:
    """Terms that a test changes."""

    def __init__(self, now: CacheEntry = TERMS) -> None:
        self.now = now

    def __call__(self) -> CacheEntry:
        return self.now


def hooked(
    store: Store | None = None, clock: FakeClock | None = None, terms: Changing | None = None
) -> Hooked:
    """Return what a router knows that has just begun."""
    time = clock or FakeClock()
    return Hooked(store=store or in_process_store(time), terms=terms or Changing(), clock=time)


def coming(*kinds: str, subject: str = R, **more: object) -> Lesson:
    """Return that events of these kinds come."""
    return Lesson(subject=subject, kinds=frozenset(kinds), **more)  # type: ignore[arg-type]  # passed on


async def raised(tags: tuple[str, ...], *lessons: Lesson) -> float:
    """Return what answers live for after some lessons."""
    knows = hooked()
    for lesson in lessons:
        await knows.learn(lesson)
    return knows.raised_s(tags)


ENOUGH: list[tuple[str, tuple[str, ...]]] = [
    (f"{R}#7:comments", ("issue_comment", "pull_request_review_comment")),
    (
        f"{R}#7:reviews",
        (
            "pull_request_review",
            "pull_request_review_comment",
            "pull_request_review_thread",
        ),
    ),
    (f"{R}#7:labels", ("issues", "pull_request", "label", "milestone")),
    (f"{R}#7:diff", ("pull_request", "push")),
    (f"{R}@0a1b:checks", CHECK_EVENTS),
    (f"{R}:checks/4", ("check_run",)),
    (f"{R}:runs", ("workflow_run", "workflow_job")),
    (f"{R}:runs/30", ("workflow_run", "workflow_job")),
    (f"{R}:branches/feature/x", ("push",)),
    (f"{R}:labels", ("label",)),
    (f"{R}:comments", ("issue_comment", "pull_request_review", "pull_request_review_comment")),
    (f"{R}:issues", ("issues", "pull_request", "label", "milestone", "issue_comment")),
    (
        f"{R}#7",
        tuple(EVERY - {"check_run", "check_suite", "status", "workflow_run", "workflow_job"}),
    ),
    (R, tuple(EVERY)),
    ("bc:195:7:12", ("comment", "recording")),
    ("jira:acme.atlassian.net:ABC-7", ("issue", "comment")),
]


def _subject(tag: str) -> str:
    if tag.startswith("bc:"):
        return "bc:195:7"
    return "jira:acme.atlassian.net:ABC" if tag.startswith("jira:") else R


@pytest.mark.parametrize(("tag", "kinds"), ENOUGH, ids=[tag for tag, _ in ENOUGH])
async def test_every_event_that_could_spoil_an_answer_must_come(
    tag: str, kinds: tuple[str, ...]
) -> None:
    """All of them raise its life, and each one less leaves it."""
    subject = _subject(tag)
    assert await raised((tag, SERVER), coming(*kinds, subject=subject)) == 3600
    for kind in kinds:
        rest = set(kinds) - {kind}
        assert await raised((tag, SERVER), coming(*rest, subject=subject)) == 0


@pytest.mark.parametrize(
    "tag", ["bc:195:7", "bc:195", "bc", "jira", "wiki:page", "gh", "jira:acme.atlassian.net:search"]
)
async def test_what_no_event_tells_of_is_not_raised(tag: str) -> None:
    """Chats and projects of Basecamp, all of Jira, whatever a foreign server reads."""
    lessons = [
        coming("*", "comment", "recording", "issue", subject=subject)
        for subject in ("bc:195:7", "bc:195", "jira:acme.atlassian.net:ABC", "wiki:page", R)
    ]
    assert await raised((tag, SERVER), *lessons) == 0


async def test_all_of_its_tags_must_be_told_of() -> None:
    """One that is not keeps the whole answer short; those that no event is about do not count."""
    comments = coming("issue_comment", "pull_request_review_comment")
    assert await raised((f"{R}#7:comments", SERVER), comments) == 3600
    assert await raised((f"{R}#7:comments", f"{R}:edited-comments", SERVER), comments) == 3600
    assert await raised((f"{R}#7:comments", f"{R}#7:labels", SERVER), comments) == 0
    assert await raised((f"{R}#7:comments", "gh:acme/other#7:comments"), comments) == 0
    assert await raised((SERVER, f"{R}:changed-runs"), comments) == 0


async def test_a_ping_that_says_all_is_all() -> None:
    """GitHub's `*` stands for every event."""
    assert await raised((R, SERVER), coming("*", hook="1", whole=True)) == 3600


async def test_an_organization_s_webhook_is_that_of_its_repositories() -> None:
    """What is known of the owner holds for each of them."""
    lesson = coming("*", subject="gh:acme", hook="1", whole=True)
    assert await raised((f"{R}#7:diff",), lesson) == 3600


async def test_a_glob_of_the_operator_is_believed() -> None:
    """And holds at once when the configuration changes; nothing else is asked for it."""
    terms = Changing()
    knows = hooked(terms=terms)
    assert knows.raised_s((f"{R}#7:diff",)) == 0
    terms.now = CacheEntry(webhook_ttl_s=600, hooked=("Acme/*",))
    assert knows.raised_s((f"{R}#7:diff",)) == 600
    assert knows.raised_s(("gh:other/thing#7:diff",)) == 0
    terms.now = TERMS
    assert knows.raised_s((f"{R}#7:diff",)) == 0


async def test_what_is_known_lapses_after_seven_days() -> None:
    """Each delivery of a kind keeps that kind known for seven days more."""
    clock = FakeClock()
    knows = hooked(clock=clock)
    await knows.learn(coming("pull_request", "push"))
    clock.advance(REMEMBERED_S - 7200)
    await knows.learn(coming("push"))
    assert knows.raised_s((f"{R}#7:diff",)) == 3600
    clock.advance(7201)
    assert knows.raised_s((f"{R}#7:diff",)) == 0
    assert knows.raised_s((f"{R}:branches/main",)) == 3600


async def test_any_delivery_of_a_webhook_shows_that_it_is_still_there() -> None:
    """What its ping said it is set up for goes on being known; another webhook proves nothing."""
    clock = FakeClock()
    knows = hooked(clock=clock)
    await knows.learn(coming("pull_request", "push", "label", hook="1", whole=True))
    clock.advance(REMEMBERED_S - 7200)
    await knows.learn(coming("label", hook="2"))
    await knows.learn(coming("label", hook="1"))
    clock.advance(7201)
    assert knows.raised_s((f"{R}#7:diff",)) == 3600


async def test_a_webhook_that_is_gone_is_known_of_no_more() -> None:
    """At once."""
    knows = hooked()
    await knows.learn(coming("*"))
    assert knows.raised_s((f"{R}#7:diff",)) == 3600
    await knows.learn(Lesson(subject=R, over=True))
    assert knows.raised_s((f"{R}#7:diff",)) == 0


@asynccontextmanager
async def both() -> AsyncIterator[tuple[Hooked, Hooked]]:
    """Two routers over one store."""
    clock = FakeClock()
    store = in_process_store(clock)
    one, other = hooked(store, clock), hooked(store, clock)
    async with asyncio.timeout(5), one.running(), other.running():
        yield one, other


async def _until(knows: Hooked, tags: tuple[str, ...], seconds: float) -> None:
    while knows.raised_s(tags) != seconds:
        await asyncio.wait([asyncio.ensure_future(_turn())])


async def _turn() -> None:
    """Let others go on."""


async def test_what_one_router_learns_all_know() -> None:
    """Over the bus, and from the store for one that was asked only later, or begins later."""
    tags = (f"{R}#7:diff",)
    async with both() as (one, other):
        assert other.raised_s(tags) == 0
        await one.learn(coming("pull_request", "push"))
        await _until(other, tags, 3600)
        later = hooked(one.store, FakeClock())
        async with later.running():
            await _until(later, tags, 3600)
        await one.learn(Lesson(subject=R, over=True))
        await _until(other, tags, 0)


async def test_lessons_of_two_routers_add_up() -> None:
    """Neither has had all the deliveries."""
    async with both() as (one, other):
        await one.learn(coming("pull_request"))
        await other.learn(coming("push"))
        await _until(one, (f"{R}#7:diff",), 3600)
        await _until(other, (f"{R}#7:diff",), 3600)


async def test_a_delivery_that_tells_nothing_new_costs_nothing() -> None:
    """The store is written once an hour at most for each kind."""
    clock = FakeClock()
    knows = hooked(clock=clock)
    await knows.learn(coming("push"))
    before = await knows.store.kept.get(KEY + R)
    clock.advance(60)
    await knows.learn(coming("push"))
    assert await knows.store.kept.get(KEY + R) == before
    clock.advance(3600)
    await knows.learn(coming("push"))
    assert await knows.store.kept.get(KEY + R) != before


async def test_kinds_that_nobody_waits_for_are_not_kept() -> None:
    """A star tells nothing about answers."""
    knows = hooked()
    await knows.learn(coming("star", "watch"))
    assert await knows.store.kept.get(KEY + R) is None


def test_what_a_store_has_that_is_not_ours_is_nothing() -> None:
    """Whatever stands there."""
    assert read_known(b"{") == read_known(b'{"until": 7}') == read_known(None) == Known()


@dataclass(slots=True, kw_only=True)
class Fleeting(MemoryKept):
    """Values of a store that a test has go away."""

    away: bool = False

    async def drop(self, key: str) -> None:
        if self.away:
            raise UpstreamUnavailable("it is away")
        await MemoryKept.drop(self, key)


@pytest.mark.parametrize("again", [False, True], ids=["gone", "made-anew"])
async def test_the_end_of_a_webhook_holds_though_the_store_was_away(*, again: bool) -> None:
    """What the store still has of it is dropped when the store is back, by all that is learnt."""
    clock = FakeClock()
    kept = Fleeting(clock=clock)
    store = replace(in_process_store(clock), kept=kept)
    knows = hooked(store, clock)
    await knows.learn(coming("label"))
    kept.away = True
    await knows.learn(Lesson(subject=R, over=True))
    kept.away = False
    if again:
        await knows.learn(coming("push"))
    async with knows.running():
        for _ in range(50):
            await asyncio.sleep(0)
    assert "label" not in read_known(await kept.get(KEY + R)).until
    assert knows.raised_s((f"{R}:labels",)) == 0
    assert knows.raised_s((f"{R}:branches/x",)) == (3600 if again else 0)
