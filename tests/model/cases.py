"""What is searched: the protocol under each kind of fault, and without each of its rules.

`RULES` has the smallest world in which a rule is missed. `LIMITS` are what no rule covers: a router
that the others do not know cannot be missed by them.
"""

import ast
import inspect
from dataclasses import dataclass, fields
from typing import Any

from tests.model.reads import RETURNED, SENT, SETTLED
from tests.model.rules import Rules, Scenario
from tests.model.search import Found, search


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A promise that does not hold without a rule, and where the search finds that."""

    rule: str
    scenario: Scenario

    @property
    def rules(self) -> Rules:
        return Rules(**{self.rule: False})

    @property
    def sentence(self) -> str:
        """Return the rule in words, which stand in `rules.py` below its name."""
        return SENTENCES[self.rule]

    def found(self) -> Found:
        """Search without the rule."""
        return search(self.rules, self.scenario)


def _far(watch: str = RETURNED, **given: Any) -> Scenario:
    """Return a world whose readers all use the other router than the writer, in no time."""
    return Scenario(at="B", holds=False, watch=watch, **given)


def _near(watch: str = RETURNED, **given: Any) -> Scenario:
    return Scenario(at="A", holds=False, watch=watch, **given)


def _slow(**given: Any) -> Scenario:
    """Return a world in which time matters."""
    return Scenario(at="B", watch=SETTLED, **given)


RULES = [
    Missed(rule="nonces", scenario=_far(evictions=1)),
    Missed(rule="footing_first", scenario=_near()),
    Missed(rule="strict", scenario=_far()),
    Missed(rule="bump_before", scenario=_near(SENT)),
    Missed(rule="bump_after", scenario=_near()),
    Missed(rule="bump_failed", scenario=_near(timeouts=1)),
    Missed(rule="doubt", scenario=_slow(timeouts=1)),
    Missed(rule="settle", scenario=_slow(lag=1)),
    Missed(rule="settled_flights", scenario=_slow(lag=1)),
    Missed(rule="keyed_flights", scenario=_near()),
    Missed(rule="follower_checks", scenario=Scenario(knows="other", at="A", holds=False)),
    Missed(rule="told_tags", scenario=Scenario(knows="beneath", at="A", holds=False)),
    Missed(rule="stale_current", scenario=_near(vendor_errors=1)),
    Missed(rule="identity", scenario=_far(rollbacks=1)),
    Missed(rule="silence", scenario=_far(cuts=1)),
    Missed(rule="waits", scenario=_far(cuts=1)),
    Missed(rule="rejoin_mints", scenario=_far(cuts=1)),
    Missed(rule="restart_mints", scenario=_far(cuts=1, crashes=1)),
    Missed(rule="remembers", scenario=_far(cuts=1, flushes=1)),
    Missed(rule="not_after", scenario=_far(cuts=1, late=1)),
    Missed(rule="unanswered_counts", scenario=_far(cuts=1, late=1)),
    Missed(rule="owed_holds", scenario=_slow(cuts=1, timeouts=1)),
    Missed(
        rule="holds_stay",
        scenario=Scenario(at="B", dying="B", watch=SETTLED, cuts=1, crashes=1, timeouts=1),
    ),
]

WHOLE = {
    "no faults": Scenario(),
    "two reads each": Scenario(reads=2, at="A", holds=False, watch=RETURNED),
    "two writes": Scenario(writes=2, at="A", holds=False, watch=RETURNED),
    "failed and timed-out writes": Scenario(at="A", timeouts=1, failures=1),
    "a vendor that lags": Scenario(at="A", lag=1),
    "a vendor that fails reads": Scenario(at="A", vendor_errors=1, holds=False),
    "tags told by answers": Scenario(knows="beneath", at="A", holds=False),
    "tags that move": Scenario(knows="other", at="A", holds=False),
    "told tags at two routers": Scenario(knows="other", holds=False, watch=RETURNED),
    "a router cut off": _far(cuts=1),
    "a router cut off twice, with late signs": _far(cuts=2, late=1),
    "both routers cut off": Scenario(faulty="AB", cuts=2, holds=False, watch=RETURNED, at="B"),
    "lost commands": _far(lost=1, late=1),
    "a router that dies, cut off": _far(cuts=1, crashes=1),
    "a flush, with a router cut off": _far(cuts=1, flushes=1),
    "a rollback, with a router cut off": _far(cuts=1, rollbacks=1),
    "a rollback and a flush": _far(flushes=1, rollbacks=1),
    "evictions": _far(evictions=2),
    "holds, with a router cut off": _slow(cuts=1, timeouts=1),
    "a vendor that lags, with a flush": _slow(flushes=1, lag=1),
}

LIMITS = {
    "a router that was forgotten while it was cut off, and writes": _far(cuts=1, forgets=1),
    "Redis flushed while one router is cut off, and the only other one started anew": Scenario(
        at="B", dying="B", holds=False, watch=RETURNED, cuts=1, crashes=1, flushes=1
    ),
    "a write in doubt whose hold Redis loses in a flush": _slow(flushes=1, timeouts=1),
    "a hold evicted from a Redis that is full": _slow(evictions=1, timeouts=1),
}


def _sentences() -> dict[str, str]:
    """Read what each rule says from below its name."""

    body = ast.parse(inspect.getsource(Rules)).body[0]
    assert isinstance(body, ast.ClassDef)
    told = {}
    for rule, sentence in zip(body.body, body.body[1:], strict=False):
        if isinstance(rule, ast.AnnAssign) and isinstance(sentence, ast.Expr):
            assert isinstance(rule.target, ast.Name)
            told[rule.target.id] = str(ast.literal_eval(sentence.value))
    return told


SENTENCES = _sentences()
NAMES = [rule.name for rule in fields(Rules)]
