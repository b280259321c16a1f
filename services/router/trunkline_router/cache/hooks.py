"""Whose changes are told by webhooks: their answers are good for longer."""

from collections.abc import Callable
from dataclasses import dataclass

from trunkline_router.configuration.entries import CacheEntry
from trunkline_shared.clock import Clock
from trunkline_shared.store.kept_port import Kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooked:
    """Knows what verified deliveries have told of."""

    kept: Kept
    terms: Callable[[], CacheEntry]
    clock: Clock

    def raised_s(self, tags: tuple[str, ...]) -> float:
        """Return the seconds that an answer under these tags is good, 0 where nothing is told."""
        del tags
        return 0.0
