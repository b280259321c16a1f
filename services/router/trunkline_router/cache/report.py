"""How the cache stands, in the words of `/status` and `/api/cache`."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline_router.cache.cache import Cache
from trunkline_router.model import Json


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

    def standing(self) -> Mapping[str, object]:
        """Return what the store says of the generations, in this order; it may say more."""
        state = self.cache.given.store.generations.state()
        alone: Json = {"on": True, "mode": "process", "routers": 1, "silent": []}
        return {name: state.get(name, value) for name, value in alone.items()} | dict(state)
