"""What questions stood on when they were answered last, as long as nothing at all has changed."""

from dataclasses import dataclass, field

from trunkline_router.cache.footing import Footing, is_small
from trunkline_router.cache.questions import Question
from trunkline_shared.store.memory_generations import MemoryGenerations

_MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFootings:
    """Footings by question, with their keys; without generations of this process, none.

    Any bump makes all of them unknown: the next look reads its generations anew.
    """

    generations: MemoryGenerations | None
    _known: dict[bytes, tuple[Footing, str]] = field(default_factory=dict)

    def of(self, question: Question) -> tuple[Footing, str] | None:
        """Return a question's footing and its key, if its generations stand as they were read."""
        known = self._known.get(question.key)
        if known is None or self.generations is None:
            return None
        return known if self.generations.stands(known[0].reading) else None

    def learn(self, footing: Footing, key: str) -> None:
        """Remember a footing that an answer was found on."""
        if self.generations is None or not is_small(footing.tags):
            return
        if len(self._known) >= _MOST:
            # Each hit asks, so this is a plain dictionary, and begun anew when it is full.
            self._known.clear()
        self._known[footing.question.key] = footing, key

    def forget(self, question: Question) -> None:
        """Forget a question whose answer depends on other tags now."""
        self._known.pop(question.key, None)
