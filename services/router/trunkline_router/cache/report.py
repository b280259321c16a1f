"""How the cache stands, in the words of `/status` and `/api/cache`."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_router.cache.cache import Cache
from trunkline_router.model import Json
from trunkline_shared.store.memory_generations import MemoryGenerations


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheReport:
    """Tells what the cache does."""

    cache: Cache

    def to_json(self) -> Json:
        """Return how it stands, and what it has done since this router started."""
        counters, process = self.cache.counters, self.cache.process
        asked = counters.saved + counters.misses + counters.passed
        return {
            **self.standing(),
            "memory": {
                "entries": len(process),
                "bytes": process.used,
                "limit": self.cache.process.most(),
            },
            "hits": {"process": counters.process_hits, "shared": counters.shared_hits},
            "coalesced": counters.coalesced,
            "stale": counters.stale,
            "misses": counters.misses,
            "passed": counters.passed,
            "kept": counters.kept,
            "bumps": counters.bumps,
            "calls_saved": counters.saved,
            "quota_saved": counters.quota_saved,
            "hit_ratio": round(counters.saved / asked, 4) if asked else None,
            "in_flight": len(self.cache.reading.flights),
        }

    def quota(self, exhausted: Sequence[Json]) -> Sequence[Json]:
        """Return what is left of the vendors' quotas, those that are exhausted among them."""
        return self.cache.quotas.to_json(exhausted)

    def standing(self) -> Json:
        """Return whether what is kept may be used, and who shares it; a store may say more."""
        given = self.cache.given
        generations = given.store.generations
        alone = isinstance(generations, MemoryGenerations)
        state = {name: value for name, value in generations.state().items() if value != ""}
        return {
            "on": False,
            "mode": "process" if alone else "shared",
            "routers": [given.name] if alone else [],
            "silent": [],
        } | state
