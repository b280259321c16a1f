"""The cache's counters, as instruments read them."""

from collections.abc import Iterator

from trunkline_router.cache.report import CacheReport
from trunkline_router.measures.instrument import Number, Reading
from trunkline_router.measures.router import CACHE_COUNTERS, CACHE_GAUGES, HITS


def of_cache(report: CacheReport) -> Iterator[Reading]:
    """Return what the cache has done, and how it stands."""
    counters = report.cache.counters
    yield Reading(
        HITS,
        [Number(("process",), counters.process_hits), Number(("shared",), counters.shared_hits)],
    )
    done = {
        "misses": counters.misses,
        "coalesced": counters.coalesced,
        "stale": counters.stale,
        "passed": counters.passed,
        "stores": counters.kept,
        "bumps": counters.bumps,
        "saved_calls": counters.saved,
        "saved_quota": counters.quota_saved,
        "confirmed": counters.confirmed,
    }
    for key, instrument in CACHE_COUNTERS.items():
        yield Reading(instrument, [Number((), done[key])])
    stands = _standing(report)
    for key, instrument in CACHE_GAUGES.items():
        yield Reading(instrument, [Number((), stands[key])])


def _standing(report: CacheReport) -> dict[str, float]:
    process, standing = report.cache.process, report.standing()
    return {
        "on": float(bool(standing["on"])),
        "routers": how_many(standing["routers"]),
        "silent_routers": how_many(standing["silent"]),
        "entries": len(process),
        "in_flight": len(report.cache.reading.flights),
        "bytes": process.used,
        "limit_bytes": process.most(),
    }


def how_many(value: object) -> float:
    """Return a number; of several things how many there are."""
    if isinstance(value, int | float):
        return float(value)
    return float(len(value)) if isinstance(value, list | tuple | set | dict) else 0.0
