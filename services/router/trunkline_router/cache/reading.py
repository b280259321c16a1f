"""Reads: answered by what was answered before, or joined to one that is underway, or asked."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from pydantic import ValidationError

from trunkline_router.cache.counters import Counters
from trunkline_router.cache.flights import Flight, Flights, Landed, outliving
from trunkline_router.cache.footing import Footing, names_for, narrowed
from trunkline_router.cache.kept import Kept
from trunkline_router.cache.known_footings import KnownFootings
from trunkline_router.cache.questions import Question
from trunkline_router.cache.stored import Stored, reuse_of
from trunkline_router.cache.told import Told
from trunkline_router.model import Call, Outcome, Provenance
from trunkline_router.pipeline import Next
from trunkline_router.tracing import link
from trunkline_router.wire.packing import pack
from trunkline_shared import wire
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError, UpstreamTimeout
from trunkline_shared.reuse import Reuse

_LEAD_S = 10.0
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Answers questions. `owned` says whether a server's word about its results is believed."""

    kept: Kept
    told: Told
    footings: KnownFootings
    flights: Flights
    counters: Counters
    clock: Clock
    owned: Callable[[str], bool]

    def at_hand(self, question: Question) -> Outcome | None:
        """Return what the process keeps, if that needs no look at anything else."""
        known = self.footings.of(question)
        return None if known is None else self._in_process(*known)

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
        tags = narrowed(question, await self.told.before(question))
        names, wanted = names_for(question, tags)
        reading = await self.kept.generations.read(wanted)
        if reading is None:
            return None
        return Footing(question=question, tags=tags, names=names, reading=reading)

    async def _on(self, footing: Footing, call: Call, onward: Next) -> Outcome | None:
        """Answer on a footing; None when the answer underway turned out to stand on another."""
        key = footing.key
        served = self._in_process(footing, key)
        if served is not None:
            self.footings.learn(footing, key)
            return served
        stored = self.kept.process.get(key)
        held = footing.is_held(footing.question.reads.settle_s)
        # What sets out too close to a change is not for those who ask after that time.
        place = f"{key} held" if held else key
        flight = self.flights.joined(place)
        if flight is not None:
            return await self._followed(flight, footing, call)
        asked = outliving(call)
        flight = self.flights.begin(
            place,
            footing,
            lambda: (
                self._fetched(footing, asked, onward, keeps=False)
                if held
                else self._asked(footing, asked, stored, onward)
            ),
        )
        return (await flight.landed()).outcome

    def _in_process(self, footing: Footing, key: str) -> Outcome | None:
        found = self.kept.process.found(key)
        served = None if found is None else self.kept.served(footing, *found)
        if served is not None and served.provenance is Provenance.CACHE:
            self.counters.process_hits += 1
        return served

    async def _followed(self, flight: Flight, footing: Footing, call: Call) -> Outcome | None:
        try:
            async with asyncio.timeout(call.deadline - self.clock.monotonic()):
                landed = await flight.landed()
        except TimeoutError:
            raise _late(call) from None
        except UpstreamTimeout:
            # It was the time of the one who began it that was up.
            return None
        if not landed.shared or not _holds_for(landed, flight.footing, footing):
            return None
        link(flight.led_by)
        self.counters.coalesced += 1
        self.counters.quota_saved += landed.outcome.spent
        if landed.outcome.provenance is Provenance.UPSTREAM:
            return replace(landed.outcome, provenance=Provenance.COALESCED)
        return landed.outcome

    async def _asked(
        self, footing: Footing, call: Call, stored: Stored | None, onward: Next
    ) -> Landed:
        """Bring the answer: from what the mesh keeps, from who asks already, or from the server."""
        key, entries = footing.key, self.kept.entries
        stored, landed = await self._looked(footing, stored)
        while landed is None:
            if await entries.lead(key, for_s=_LEAD_S):
                return await self._led(footing, call, stored, onward)
            left_s = call.deadline - self.clock.monotonic()
            if left_s <= 0:
                raise _late(call)
            await entries.settled(key, within_s=min(_LEAD_S, left_s))
            stored, landed = await self._looked(footing, stored)
        return landed

    async def _led(
        self, footing: Footing, call: Call, stored: Stored | None, onward: Next
    ) -> Landed:
        """Ask the server, unless another one has, between the last look and the lead."""
        try:
            stored, landed = await self._looked(footing, stored)
            return landed or await self._fetched_or_stale(footing, call, stored, onward)
        finally:
            await self.kept.entries.let_go(footing.key)

    async def _looked(
        self, footing: Footing, stored: Stored | None
    ) -> tuple[Stored | None, Landed | None]:
        """Return what the mesh keeps, or else what was known, and the answer if it is good."""
        stored = await self.kept.shared(footing.key) or stored
        served = None if stored is None else self.kept.served(footing, stored, stored.age_s)
        if stored is None or served is None:
            return stored, None
        self.counters.shared_hits += served.provenance is Provenance.CACHE
        return stored, Landed(outcome=served, tags=stored.tags)

    async def _fetched_or_stale(
        self, footing: Footing, call: Call, stored: Stored | None, onward: Next
    ) -> Landed:
        try:
            landed = await self._fetched(footing, call, onward, keeps=True)
        except TrunklineError as error:
            if stored is None or error.code not in _UNAVAILABLE:
                raise
        else:
            if stored is None or not _is_unavailable(landed.outcome):
                return landed
        return Landed(outcome=self.kept.stale(stored, stored.age_s), tags=stored.tags)

    async def _fetched(self, footing: Footing, call: Call, onward: Next, *, keeps: bool) -> Landed:
        self.counters.misses += 1
        outcome = await onward(call)
        if outcome.result.get("resultType", "complete") != "complete":
            # Whatever it asks, it asks the one who began.
            return Landed(outcome=outcome, tags=(), shared=False)
        if outcome.is_error:
            # What it was about it does not tell, whatever the last answer has told.
            return Landed(outcome=outcome, tags=narrowed(footing.question, ()))
        reuse = self._reuse(outcome)
        tags = narrowed(footing.question, reuse.tags)
        self.footings.forget(footing.question)
        await self.told.learn(footing.question, reuse.tags)
        if keeps and not reuse.no_store:
            outcome = await self.kept.keep(footing, tags, outcome, reuse)
        return Landed(outcome=_written_out(outcome), tags=tags)

    def _reuse(self, outcome: Outcome) -> Reuse:
        if not self.owned(outcome.server):
            return Reuse()
        try:
            return reuse_of(outcome)
        except ValidationError:
            return Reuse(no_store=True)


def _written_out(outcome: Outcome) -> Outcome:
    """Write a result out once for all who wait for it, if that has not been done to keep it."""
    if outcome.packed is not None:
        return outcome
    try:
        return replace(outcome, packed=pack(outcome.result))
    except TypeError:
        # What is nested too deeply to be written is refused where it is written.
        return outcome


def _late(call: Call) -> UpstreamTimeout:
    return UpstreamTimeout(f"Server {call.server!r} did not answer within {call.timeout_s:g} s.")


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
    "CIRCUIT_OPEN",
    "INTERNAL_ERROR",
})


def _is_unavailable(outcome: Outcome) -> bool:
    told = wire.from_result(outcome.result) if outcome.is_error else None
    return told is not None and told.code in _UNAVAILABLE
