"""Answers that are kept, in the process and by the mesh: taken out, judged, put in."""

from dataclasses import dataclass, replace

from trunkline_router.cache.counters import Counters
from trunkline_router.cache.footing import Footing, key_of, names_for
from trunkline_router.cache.lifetimes import Lifetimes
from trunkline_router.cache.process_tier import ProcessTier
from trunkline_router.cache.stored import Stored
from trunkline_router.model import Outcome, Provenance
from trunkline_shared.reuse import Reuse
from trunkline_shared.store.entry_port import Entries
from trunkline_shared.store.generation_port import Generations


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is kept in the process is tried before what the mesh keeps."""

    generations: Generations
    entries: Entries
    process: ProcessTier
    lifetimes: Lifetimes
    counters: Counters

    async def shared(self, key: str) -> Stored | None:
        """Return what the mesh keeps, and keep it in the process as well."""
        entry = await self.entries.get(key)
        stored = None if entry is None else Stored.from_bytes(entry.data, entry.left_s)
        if stored is not None:
            self.process.put(key, stored)
        return stored

    def served(self, footing: Footing, stored: Stored, age_s: float) -> Outcome | None:
        """Return what is kept as an answer; None where it is not good enough any more."""
        # Who asks within the time of its tool need not know what a vendor's events add to it.
        if age_s < stored.ttl_s or age_s < self.lifetimes.fresh_s(footing.tags, stored):
            return self._used(stored, age_s, Provenance.CACHE)
        spared = self.lifetimes.spares(footing.question) and age_s < stored.life_s
        return self.stale(stored, age_s) if spared else None

    def stale(self, stored: Stored, age_s: float) -> Outcome:
        """Return an answer that is over, marked as that."""
        self.counters.stale += 1
        return self._used(stored, age_s, Provenance.STALE)

    def _used(self, stored: Stored, age_s: float, provenance: Provenance) -> Outcome:
        self.counters.quota_saved += stored.cost
        return Outcome(
            server=stored.server,
            packed=stored.packed,
            provenance=provenance,
            age_ms=round(age_s * 1000),
            left_out=stored.left_out,
        )

    async def keep(
        self, footing: Footing, tags: tuple[str, ...], outcome: Outcome, reuse: Reuse
    ) -> Outcome:
        """Keep an answer under what it depends on; return it as it was written out for that."""
        stored = self.lifetimes.stored(footing.question, tags, outcome, reuse)
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
