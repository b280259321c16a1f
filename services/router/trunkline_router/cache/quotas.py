"""What is left of the vendors' quotas, as their servers' answers have told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from cachetools import LRUCache
from pydantic import ValidationError

from trunkline_router import tracing
from trunkline_router.attributes import QUOTA_LEFT
from trunkline_router.cache.counters import Counters
from trunkline_router.cache.questions import Question
from trunkline_router.model import Call, Json, Outcome
from trunkline_router.pipeline import Next
from trunkline_router.quota import Quota, Use
from trunkline_shared import meta
from trunkline_shared.clock import Clock
from trunkline_shared.quota import Left, QuotaNote

_MOST = 1000
_SAME_WINDOW_S = 2.0
_NEARLY_ALL = 10
_FEW = 100


@dataclass(frozen=True, slots=True)
class _Known:
    """`until` is monotonic seconds; `limit` None where it is not told."""

    remaining: int
    limit: int | None
    until: float

    @property
    def is_nearly_exhausted(self) -> bool:
        """A tenth or less is left; of one whose size nobody told, a hundred or less."""
        if self.limit is None:
            return self.remaining <= _FEW
        return self.remaining * _NEARLY_ALL <= self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownQuotas:
    """Knows how much of each quota is left until it is renewed, and which tools need it.

    `owned` says whether a server's word about quotas is believed.
    """

    clock: Clock
    owned: Callable[[str], bool]
    counters: Counters = field(default_factory=Counters)
    _known: "LRUCache[Quota, _Known]" = field(default_factory=lambda: LRUCache(_MOST))
    _uses: "LRUCache[Use, frozenset[Quota]]" = field(default_factory=lambda: LRUCache(_MOST))

    async def stage(self, call: Call, onward: Next) -> Outcome:
        """Learn from what a server has noted on its answer, and take the note off."""
        outcome = await onward(call)
        given = outcome.result.get("_meta")
        if not isinstance(given, dict) or meta.QUOTA not in given:
            return outcome
        others = {key: value for key, value in given.items() if key != meta.QUOTA}
        result = {key: value for key, value in outcome.result.items() if key != "_meta"}
        if others:
            result["_meta"] = others
        note = _believed(given[meta.QUOTA]) if self.owned(outcome.server) else None
        if note is None:
            return replace(outcome, result=result)
        self.counters.confirmed += note.confirmed
        self._learn(Use(call.server, call.name, call.audience), note)
        if note.resources:
            tracing.note(QUOTA_LEFT, min(left.remaining for left in note.resources.values()))
        return replace(outcome, result=result, spent=note.spent)

    def spares(self, question: Question) -> bool:
        """Say whether so little is left that older answers do."""
        uses = self._uses.get(Use(question.server, question.tool, question.audience), ())
        return any(
            known is not None and known.is_nearly_exhausted for known in map(self._current, uses)
        )

    def to_json(self, exhausted: Sequence[Json] = ()) -> Sequence[Json]:
        """Return what is left of each quota, and which tools need it.

        `exhausted` are those that a vendor has closed: what is told of them stands, completed.
        """
        told = {(one.get("credential"), one.get("resource")): one for one in exhausted}
        for quota in list(self._known):
            known = self._current(quota)
            if known is not None:
                closed = told.get(quota)
                # What a vendor refuses is exhausted, whatever was left when it was last asked.
                more = {**closed, "remaining": 0} if closed is not None else {}
                told[quota] = self._told(quota, known) | more
        return list(told.values())

    def _told(self, quota: Quota, known: _Known) -> Json:
        return {
            "credential": quota.credential,
            "resource": quota.resource,
            "limit": known.limit,
            "remaining": known.remaining,
            "resets_in_s": round(known.until - self.clock.monotonic(), 1),
            "tools": sorted({
                f"{use.server}.{use.tool}" for use, of in self._uses.items() if quota in of
            }),
        }

    def _learn(self, use: Use, note: QuotaNote) -> None:
        needed = {Quota(note.credential, resource) for resource in note.resources}
        before = self._uses.get(use, frozenset())
        # A credential that was renewed has a quota of its own.
        same = {quota for quota in before if quota.credential == note.credential}
        if needed:
            self._uses[use] = frozenset(needed | same)
        for resource, left in note.resources.items():
            self._note(Quota(note.credential, resource), left)

    def _note(self, quota: Quota, left: Left) -> None:
        """Take in what is left: answers may arrive in another order than they were made in."""
        until = self.clock.monotonic() + left.resets_in_s
        known, remaining = self._current(quota), left.remaining
        if known is not None:
            if until < known.until - _SAME_WINDOW_S:
                return
            if until <= known.until + _SAME_WINDOW_S:
                remaining = min(remaining, known.remaining)
        self._known[quota] = _Known(remaining=remaining, limit=left.limit, until=until)

    def _current(self, quota: Quota) -> _Known | None:
        known = self._known.get(quota)
        if known is None or known.until > self.clock.monotonic():
            return known
        del self._known[quota]
        return None


def _believed(given: object) -> QuotaNote | None:
    try:
        return QuotaNote.model_validate(given)
    except ValidationError:
        return None
