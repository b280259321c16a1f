"""How long answers are good: what their tools say, and what is known of their vendors."""

from dataclasses import dataclass
from typing import Protocol

from trunkline_router.cache.questions import Question
from trunkline_router.cache.stored import Stored
from trunkline_router.model import Outcome
from trunkline_router.wire.packing import pack
from trunkline_shared.reuse import Reuse

IMMUTABLE_S = 86_400.0
"""Nothing is good for longer, nor for more than that once it is over."""


class Hooks(Protocol):
    """Knows whose changes are told by the vendor, so that nothing has to be asked again."""

    def raised_s(self, tags: tuple[str, ...]) -> float:
        """Return the seconds that an answer under these tags is good, 0 where nothing is told."""


class Quotas(Protocol):
    """Knows how much of the vendors' quotas is left."""

    def spares(self, question: Question) -> bool:
        """Say whether so little is left that older answers do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifetimes:
    """Decides it when an answer is kept, and again when it is used."""

    hooks: Hooks
    quotas: Quotas

    def spares(self, question: Question) -> bool:
        """Say whether an answer that is over is good enough at the moment."""
        return self.quotas.spares(question)

    def fresh_s(self, tags: tuple[str, ...], kept: Stored) -> float:
        """Return the age at which an answer is over."""
        return kept.ttl_s if kept.told else max(kept.ttl_s, self.hooks.raised_s(tags))

    def stored(
        self, question: Question, tags: tuple[str, ...], outcome: Outcome, reuse: Reuse
    ) -> Stored | None:
        """Return an answer as it is kept; None for one that is not worth it."""
        reads = question.reads
        told = _ends_by_itself(reuse, reads.ttl_s)
        ttl_s = IMMUTABLE_S if reuse.immutable else reads.ttl_s
        if reuse.ttl_s is not None:
            ttl_s = reuse.ttl_s
        if ttl_s <= 0:
            return None
        longer_s = 0.0 if told else max(self.hooks.raised_s(tags) - ttl_s, 0.0)
        try:
            packed = pack(outcome.result)
        except TypeError:
            return None
        return Stored(
            server=outcome.server,
            packed=packed,
            tags=tags,
            ttl_s=min(ttl_s, IMMUTABLE_S),
            told=told,
            stale_s=min(reads.stale_s + longer_s, IMMUTABLE_S),
            cost=outcome.spent,
            left_out=outcome.left_out,
        )


def _ends_by_itself(reuse: Reuse, ttl_s: float) -> bool:
    """Say whether no word of a vendor prolongs an answer that says how long it is good.

    One that is good for less than its tool's others changes without an event: a log that grows.
    """
    return reuse.immutable or (reuse.ttl_s is not None and reuse.ttl_s < ttl_s)
