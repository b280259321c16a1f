"""How long an answer is good: its own word, its tool's, and what a vendor's events add."""

from dataclasses import dataclass

import pytest

from tests.unit.trunkline_router.cache.samples import question
from trunkline_router.cache.lifetimes import IMMUTABLE_S, Lifetimes
from trunkline_router.cache.questions import Question
from trunkline_router.model import Outcome
from trunkline_shared.reuse import Reuse

ASKED, RAISED_S = question(), 3600.0


@dataclass
class Events:
    """Tells of every change."""

    def raised_s(self, tags: tuple[str, ...]) -> float:
        return RAISED_S if tags else 0.0


@dataclass
class Plenty:
    """A quota that is never short."""

    def spares(self, question: Question) -> bool:
        return question is None


def fresh_s(reuse: Reuse, *tags: str) -> float:
    """Return how long an answer that says this of itself is good."""
    lifetimes = Lifetimes(hooks=Events(), quotas=Plenty())
    outcome = Outcome(server="github", result={"content": []}, spent=2)
    kept = lifetimes.stored(ASKED, tags, outcome, reuse)
    assert kept is not None
    assert kept.cost == 2
    assert kept.life_s >= lifetimes.fresh_s(tags, kept)
    return lifetimes.fresh_s(tags, kept)


@pytest.mark.parametrize(
    ("reuse", "alone", "told_of"),
    [
        (Reuse(), 15, RAISED_S),
        (Reuse(ttl_s=15), 15, RAISED_S),
        (Reuse(ttl_s=60), 60, RAISED_S),
        (Reuse(ttl_s=5), 5, 5),
        (Reuse(immutable=True), IMMUTABLE_S, IMMUTABLE_S),
        (Reuse(ttl_s=1e300), IMMUTABLE_S, IMMUTABLE_S),
    ],
)
def test_events_prolong_what_does_not_change_by_itself(
    reuse: Reuse, alone: float, told_of: float
) -> None:
    """An answer with a shorter life than its tool's others is over in its own time."""
    assert fresh_s(reuse) == alone
    assert fresh_s(reuse, "gh:a/b#1") == told_of
