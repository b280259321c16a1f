"""All that keeps answers and spoils them, put together."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Self

from trunkline_router.cache.bump_feed import BumpFeed
from trunkline_router.cache.bumps import Bumps
from trunkline_router.cache.counters import Counters
from trunkline_router.cache.flights import Flights
from trunkline_router.cache.hooks import Hooked
from trunkline_router.cache.kept import Kept
from trunkline_router.cache.known_footings import KnownFootings
from trunkline_router.cache.lifetimes import Lifetimes
from trunkline_router.cache.process_tier import ProcessTier
from trunkline_router.cache.questions import Questions
from trunkline_router.cache.quotas import KnownQuotas
from trunkline_router.cache.reading import Reading
from trunkline_router.cache.tasks import Tasks
from trunkline_router.cache.told import Told
from trunkline_router.cache.traced_store import traced
from trunkline_router.cache.trimmings import Trimmings
from trunkline_router.cache.writing import Writing
from trunkline_router.configuration.cache_entry import CacheEntry
from trunkline_router.fleet import Fleet
from trunkline_router.model import Call, Outcome
from trunkline_router.pipeline import Next
from trunkline_shared.clock import Clock
from trunkline_shared.store.generation_port import Membership
from trunkline_shared.store.memory_generations import MemoryGenerations
from trunkline_shared.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the cache is made from; `terms` is what the configuration says at the moment.

    `name` is how the routers of a mesh know this one.
    """

    fleet: Fleet
    store: Store
    clock: Clock
    terms: Callable[[], CacheEntry]
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """The stage of the pipeline, and what else has to do with what is kept."""

    questions: Questions
    reading: Reading
    writing: Writing
    bumps: Bumps
    feed: BumpFeed
    counters: Counters
    process: ProcessTier
    hooked: Hooked
    quotas: KnownQuotas
    trimmings: Trimmings
    given: Surroundings
    tasks: Tasks = field(repr=False)

    @classmethod
    def of(cls, given: Surroundings) -> Self:
        """Put the parts together."""
        store, counters, tasks = given.store, Counters(), Tasks()
        generations, entries = traced(store)
        bumps = Bumps(generations=generations, counters=counters)
        process = ProcessTier(clock=given.clock, most=lambda: given.terms().memory_bytes)
        hooked = Hooked(store=store, terms=given.terms, clock=given.clock)
        quotas = KnownQuotas(clock=given.clock, owned=given.fleet.owns, counters=counters)
        return cls(
            questions=Questions(apart=lambda call: _apart(given.fleet, call)),
            reading=Reading(
                kept=Kept(
                    generations=generations,
                    entries=entries,
                    process=process,
                    lifetimes=Lifetimes(hooks=hooked, quotas=quotas),
                    counters=counters,
                ),
                told=Told(entries=entries),
                footings=KnownFootings(
                    generations=generations if isinstance(generations, MemoryGenerations) else None
                ),
                flights=Flights(tasks=tasks.group),
                counters=counters,
                clock=given.clock,
                owned=given.fleet.owns,
            ),
            writing=Writing(bumps=bumps, owned=given.fleet.owns, tasks=tasks.group),
            bumps=bumps,
            feed=BumpFeed(bumps=bumps, bus=store.bus, clock=given.clock),
            counters=counters,
            process=process,
            hooked=hooked,
            quotas=quotas,
            trimmings=Trimmings(owned=given.fleet.owns),
            given=given,
            tasks=tasks,
        )

    def at_hand(self, call: Call, onward: Next) -> Awaitable[Outcome]:
        """Answer at once what the process keeps and nothing has changed since; pass all else on."""
        if self.reading.footings.generations is None or not self.given.terms().enabled:
            return onward(call)
        question = self.questions.of(call)
        outcome = None if question is None else self.reading.at_hand(question)
        return onward(call) if outcome is None else _ready(outcome)

    def stage(self, call: Call, onward: Next) -> Awaitable[Outcome]:
        """Answer what was asked before; let writes through, and make known what they touched."""
        tool = call.tool
        if tool is None:
            return onward(call)
        if tool.writes:
            return self.writing.perform(call, tool, onward)
        question = self.questions.of(call) if self.given.terms().enabled else None
        return onward(call) if question is None else self.reading.answer(call, question, onward)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep and spoil answers for the length of the block."""
        membership = Membership(
            name=self.given.name, clock=self.given.clock, forget_s=self.given.terms().forget_s
        )
        async with (
            self.given.store.generations.joined(membership),
            self.feed.running(),
            self.hooked.running(),
            self.tasks.running(),
        ):
            yield


async def _ready(outcome: Outcome) -> Outcome:
    return outcome


def _apart(fleet: Fleet, call: Call) -> str:
    """Return which server of this id is asked, and in whose name if that counts there."""
    member = fleet.get(call.server)
    if member is None:
        return ""
    return f"{member.place} {call.caller.subject}" if member.entry.private else member.place
