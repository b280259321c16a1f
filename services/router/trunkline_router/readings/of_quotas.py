"""What is left of the vendors' quotas, as instruments read it."""

from collections.abc import Iterator, Sequence

from trunkline_router.measures.instrument import Number, Reading
from trunkline_router.measures.router import QUOTA_LIMIT, QUOTA_REMAINING
from trunkline_router.model import Json
from trunkline_router.readings.of_cache import how_many


def of_quotas(quotas: Sequence[Json]) -> Iterator[Reading]:
    """Return what is left of each, and of how much."""
    names = [tuple(str(quota[label]) for label in QUOTA_LIMIT.labels) for quota in quotas]
    left = [
        Number(name, how_many(quota.get("remaining", 0)))
        for name, quota in zip(names, quotas, strict=True)
    ]
    yield Reading(QUOTA_REMAINING, left)
    limits = [
        Number(name, how_many(quota["limit"]))
        for name, quota in zip(names, quotas, strict=True)
        if quota.get("limit") is not None
    ]
    yield Reading(QUOTA_LIMIT, limits)
