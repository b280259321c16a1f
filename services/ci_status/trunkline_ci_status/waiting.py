"""Waiting for a verdict: polls, with progress, until it is there or the time is over."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from trunkline_ci_status.observing import Observation, observe
from trunkline_ci_status.reporting import Judged, report
from trunkline_ci_status.status_models import Waited
from trunkline_shared.clock import Clock
from trunkline_shared.deadline import remaining
from trunkline_shared.ending import sleep
from trunkline_shared.errors import RateLimited, TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.progress import report as report_progress

LONGEST_S = 1_800
MARGIN_S = 5.0
_PATIENCE = 3
_JITTER = 0.1
_TOO_SHORT_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """How long to wait, how often to look, and what ends the wait. Times in seconds."""

    what: Observation
    timeout_s: float
    poll_s: float
    fail_fast: bool


@dataclass(slots=True, kw_only=True)
class Waiting:
    """One wait; the heads that it has seen tell whether there was a push meanwhile."""

    github: GitHub
    clock: Clock
    wait: Wait
    heads: list[str] = field(default_factory=list)
    failures: int = 0
    uniform: Callable[[float, float], float] = field(default=random.SystemRandom().uniform)

    async def run(self) -> Waited:
        """Look until there is a verdict, or the time is over.

        A pull request is followed when its head moves. The time ends a little before the call's
        own deadline, so that the state is answered instead of an error. Raises a failure that
        lasts, and Cancelled when the server ends.
        """
        began = self.clock.monotonic()
        limit = min(self.wait.timeout_s, max(0, remaining(LONGEST_S + MARGIN_S) - MARGIN_S))
        seen: Judged | None = None
        while True:
            pause = self.wait.poll_s
            try:
                seen = await self._look(self.clock.monotonic() - began, limit)
            except TrunklineError as error:
                pause = self._tolerated(error, limit - (self.clock.monotonic() - began))
            elapsed = self.clock.monotonic() - began
            if seen is not None and (self._is_settled(seen) or elapsed >= limit - _TOO_SHORT_S):
                return self._answer(seen, elapsed)
            jittered = pause * self.uniform(1 - _JITTER, 1 + _JITTER)
            await sleep(self.clock, min(jittered, max(limit - elapsed, 0)))

    async def _look(self, elapsed: float, limit: float) -> Judged:
        seen = await observe(self.github, self.clock, self.wait.what)
        self.failures = 0
        if seen.ci.head_sha not in self.heads[-1:]:
            self.heads.append(seen.ci.head_sha)
        await report_progress(elapsed, limit, standing(seen))
        return seen

    def _tolerated(self, error: TrunklineError, left: float) -> float:
        """Return how long to wait after a failure that may pass; raises one that will not."""
        self.failures += 1
        pause = max(error.retry_after or 0, self.wait.poll_s)
        patience = isinstance(error, RateLimited) or self.failures < _PATIENCE
        if not error.retryable or not patience or pause >= left:
            raise error
        return pause

    def _is_settled(self, seen: Judged) -> bool:
        if seen.verdict == "failing":
            return self.wait.fail_fast or seen.is_over
        return seen.is_over

    def _answer(self, seen: Judged, elapsed: float) -> Waited:
        found = report(seen, None).model_copy(update={"head_moved": len(self.heads) > 1})
        return Waited(
            **{name: getattr(found, name) for name in type(found).model_fields},
            timed_out=not self._is_settled(seen),
            waited_s=round(elapsed, 1),
        )


def standing(seen: Judged) -> str:
    """Return where it stands, such as `3 of 7 done, 1 failing`."""
    buckets = seen.buckets
    if not buckets:
        return "no CI yet"
    failing = sum(one in {"failed", "cancelled", "action_required"} for one in buckets)
    done = len(buckets) - buckets.count("pending")
    return f"{done} of {len(buckets)} done" + (f", {failing} failing" if failing else "")
