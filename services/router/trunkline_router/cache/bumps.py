"""Changes made known: the one way in which anything spoils what was kept."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from trunkline_router.cache.counters import Counters
from trunkline_router.cache.tags import names_to_bump
from trunkline_shared.store.generation_port import Generations

SETTLE_S = 10.0
"""For so long after a change a vendor's copies may answer with what was before it."""
DOUBT_S = 60.0
"""For so long a write whose end nobody saw may still be carried out."""
log = logging.getLogger(__name__)


class Cause(Enum):
    """Why tags are bumped."""

    BEFORE_WRITE = "before_write"
    WRITE = "write"
    EVENT = "event"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bumped:
    """Tags that were bumped, for those who want to know."""

    tags: tuple[str, ...]
    cause: Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Bumps:
    """Bumps tags over the whole mesh, and tells `on_bump` in this process of it."""

    generations: Generations
    counters: Counters
    on_bump: list[Callable[[Bumped], None]] = field(default_factory=list)

    async def bump(self, tags: Iterable[str], cause: Cause, *, hold_s: float = SETTLE_S) -> None:
        """Return when no read that begins later is answered from before. Never raises."""
        bumped = Bumped(tags=tuple(dict.fromkeys(tags)), cause=cause)
        if not bumped.tags:
            return
        self.counters.bumps += 1
        await self.generations.bump(names_to_bump(bumped.tags), hold_s=hold_s)
        if cause is not Cause.BEFORE_WRITE:
            for tell in self.on_bump:
                tell(bumped)
