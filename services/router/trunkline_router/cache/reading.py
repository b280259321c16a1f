"""Reads: answered by what was answered before, or joined to one that is underway, or asked."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cachetools import LRUCache
from pydantic import ValidationError

from trunkline_router.cache.counters import Counters
from trunkline_router.cache.flights import Flight, Flights, Landed
from trunkline_router.cache.footing import Footing, key_of, names_for, narrowed
from trunkline_router.cache.lifetimes import Lifetimes
from trunkline_router.cache.process_tier import ProcessTier
from trunkline_router.cache.questions import Question
from trunkline_router.cache.stored import Stored, reuse_of
from trunkline_router.model import Call, Outcome, Provenance
from trunkline_router.pipeline import Next
from trunkline_shared import wire
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError, UpstreamTimeout
from trunkline_shared.reuse import Reuse
from trunkline_shared.store.entry_port import Entries
from trunkline_shared.store.generation_port import Generations

_LEAD_S = 10.0
_ATTEMPTS = 3
_MOST_TOLD = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Answers questions. What is kept in the process is tried before what the mesh keeps.

    `owned` says whether a server's word about its own results is believed.
    """

    generations: Generations
    entries: Entries
    process: ProcessTier
    flights: Flights
    lifetimes: Lifetimes
    counters: Counters
    clock: Clock
    owned: Callable[[str], bool]
    _told: "LRUCache[bytes, tuple[str, ...]]" = field(default_factory=lambda: LRUCache(_MOST_TOLD))

    async def answer(self, call: Call, question: Question, onward: Next) -> Outcome:
        """Answer a question. Raises what asking raises."""
        for _ in range(_ATTEMPTS):
            footing = await self._footing(question)
            if footing is None:
                break
            outcome = await self._on(footing, call, onward)
            if outcome is not None:
                return outcome
        self.counters.passed += 1
        return await onward(call)

    async def _footing(self, question: Question) -> Footing | None:
        """Read the generations that the answer depends on; None when they cannot be had."""
        tags = narrowed(question, self._told.get(question.key, ()))
        names, wanted = names_for(question, tags)
        reading = await self.generations.read(wanted)
        if reading is None:
            return None
        return Footing(question=question, tags=tags, names=names, reading=reading)

    async def _on(self, footing: Footing, call: Call, onward: Next) -> Outcome | None:
        """Answer on a footing; None when the answer underway turned out to stand on another."""
        key = footing.key
        kept = self.process.get(key)
        if kept is not None and (served := self._served(footing, kept)) is not None:
            self.counters.process_hits += served.provenance is Provenance.CACHE
            return served
        flight = self.flights.joined(key)
        if flight is not None:
            return await self._followed(flight, footing, call)
        flight = self.flights.begin(footing, lambda: self._asked(footing, call, kept, onward))
        return (await self._waited(flight, call)).outcome

    def _served(self, footing: Footing, kept: Stored) -> Outcome | None:
        """Return what is kept as an answer, if it is good enough at the moment."""
        lifetimes, question = self.lifetimes, footing.question
        if kept.age_s < lifetimes.fresh_s(question, footing.tags, kept):
            return self._used(kept, Provenance.CACHE)
        if lifetimes.spares(question) and kept.age_s < kept.life_s:
            return self._stale(kept)
        return None

    def _used(self, kept: Stored, provenance: Provenance) -> Outcome:
        self.counters.quota_saved += kept.cost
        return Outcome(
            server=kept.server,
            packed=kept.packed,
            provenance=provenance,
            age_ms=round(kept.age_s * 1000),
            size=kept.size,
        )

    def _stale(self, kept: Stored) -> Outcome:
        self.counters.stale += 1
        return self._used(kept, Provenance.STALE)

    async def _followed(self, flight: Flight, footing: Footing, call: Call) -> Outcome | None:
        try:
            landed = await self._waited(flight, call)
        except UpstreamTimeout:
            if self.clock.monotonic() < call.deadline:
                # It was the time of the one who began it that was up.
                return None
            raise
        if not landed.shared or not _holds_for(landed, flight.footing, footing):
            return None
        self.counters.coalesced += 1
        if landed.outcome.provenance is Provenance.UPSTREAM:
            return replace(landed.outcome, provenance=Provenance.COALESCED)
        return landed.outcome

    async def _waited(self, flight: Flight, call: Call) -> Landed:
        try:
            async with asyncio.timeout(call.deadline - self.clock.monotonic()):
                return await flight.landed()
        except TimeoutError:
            raise UpstreamTimeout(
                f"Server {call.server!r} did not answer within {call.timeout_s:g} s."
            ) from None

    async def _asked(
        self, footing: Footing, call: Call, kept: Stored | None, onward: Next
    ) -> Landed:
        """Bring the answer: from what the mesh keeps, from who asks already, or from the server."""
        settle_s = footing.question.reads.settle_s
        if footing.is_held(settle_s):
            return await self._fetched(footing, call, onward, keeps=False)
        key = footing.key
        kept = await self._shared(key) or kept
        if kept is None or self._is_over(footing, kept):
            while not await self.entries.lead(key, for_s=_LEAD_S):
                left_s = call.deadline - self.clock.monotonic()
                await self.entries.settled(key, within_s=min(_LEAD_S, left_s))
                kept = await self._shared(key) or kept
                if kept is not None and not self._is_over(footing, kept):
                    break
        if kept is not None and (served := self._served(footing, kept)) is not None:
            self.counters.shared_hits += served.provenance is Provenance.CACHE
            return Landed(outcome=served, tags=kept.tags)
        try:
            return await self._fetched_or_stale(footing, call, kept, onward)
        finally:
            await self.entries.let_go(key)

    async def _shared(self, key: str) -> Stored | None:
        """Return what the mesh keeps, and keep it in the process as well."""
        entry = await self.entries.get(key)
        stored = None if entry is None else Stored.from_bytes(entry.data, entry.left_s)
        if stored is not None:
            self.process.put(key, stored)
        return stored

    def _is_over(self, footing: Footing, kept: Stored) -> bool:
        question = footing.question
        if self.lifetimes.spares(question):
            return kept.age_s >= kept.life_s
        return kept.age_s >= self.lifetimes.fresh_s(question, footing.tags, kept)

    async def _fetched_or_stale(
        self, footing: Footing, call: Call, kept: Stored | None, onward: Next
    ) -> Landed:
        try:
            landed = await self._fetched(footing, call, onward, keeps=True)
        except TrunklineError as error:
            if kept is None or not _may_pass(error):
                raise
            return Landed(outcome=self._stale(kept), tags=kept.tags)
        if kept is not None and _is_unavailable(landed.outcome):
            return Landed(outcome=self._stale(kept), tags=kept.tags)
        return landed

    async def _fetched(self, footing: Footing, call: Call, onward: Next, *, keeps: bool) -> Landed:
        self.counters.misses += 1
        outcome = await onward(call)
        result = outcome.result
        if result.get("resultType", "complete") != "complete":
            # Whatever it asks, it asks the one who began.
            return Landed(outcome=outcome, tags=(), shared=False)
        if outcome.is_error:
            return Landed(outcome=outcome, tags=footing.tags)
        reuse = self._reuse(outcome)
        tags = narrowed(footing.question, reuse.tags)
        if reuse.tags:
            self._told[footing.question.key] = reuse.tags
        if keeps and not reuse.no_store:
            outcome = await self._keep(footing, tags, outcome, reuse)
        return Landed(outcome=outcome, tags=tags)

    def _reuse(self, outcome: Outcome) -> Reuse:
        if not self.owned(outcome.server):
            return Reuse()
        try:
            return reuse_of(outcome)
        except ValidationError:
            return Reuse(no_store=True)

    async def _keep(
        self, footing: Footing, tags: tuple[str, ...], outcome: Outcome, reuse: Reuse
    ) -> Outcome:
        """Keep an answer under what it depends on; return it as it was written out for that."""
        question = footing.question
        stored = self.lifetimes.stored(question, tags, outcome, reuse)
        if stored is None:
            return outcome
        key = await self._key_under(footing, tags)
        if key is not None:
            self.counters.kept += 1
            self.process.put(key, stored)
            await self.entries.put(key, stored.to_bytes(), life_s=stored.life_s)
        return replace(outcome, packed=stored.packed)

    async def _key_under(self, footing: Footing, tags: tuple[str, ...]) -> str | None:
        """Return the key under tags that may have become known only now.

        Their generations count as read before the answer was fetched if nothing above them has
        been bumped meanwhile: that is why a bump spoils what stands for all beneath, too.
        """
        if tags == footing.tags:
            return footing.key
        if not footing.covers(tags):
            return None
        names, wanted = names_for(footing.question, tags)
        later = await self.generations.read(tuple({*wanted, *footing.reading.by_name}))
        if later is None or not footing.is_unchanged(later.by_name, later.root):
            return None
        moved = Footing(question=footing.question, tags=tags, names=names, reading=later)
        if moved.is_held(footing.question.reads.settle_s):
            return None
        return key_of(footing.question, names, later)


def _holds_for(landed: Landed, leader: Footing, follower: Footing) -> bool:
    """Say whether a follower may have the answer: nothing that it depends on was changed before.

    Both stand on the same generations of the tags that they knew. If the answer depends on others,
    those above them must have been the same as well.
    """
    if set(landed.tags) <= set(leader.tags):
        return True
    return leader.covers(landed.tags) and leader.is_unchanged(
        follower.reading.by_name, follower.reading.root
    )


_UNAVAILABLE = frozenset({
    "UPSTREAM_UNAVAILABLE",
    "NETWORK_ERROR",
    "TIMEOUT",
    "RATE_LIMITED",
    "OVERLOADED",
    "INTERNAL_ERROR",
})


def _may_pass(error: TrunklineError) -> bool:
    return error.code in _UNAVAILABLE


def _is_unavailable(outcome: Outcome) -> bool:
    told = wire.from_result(outcome.result) if outcome.is_error else None
    return told is not None and _may_pass(told)
