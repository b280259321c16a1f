"""One run of an agent: its time, its progress, and how honestly its failure is told."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from mcp_types import InputRequiredResult

from trunkline_bridge.query.runner import Answer, Asker, Query, Runner
from trunkline_shared import progress
from trunkline_shared.errors import BY_AGENT, FAILED, Details, UpstreamError, UpstreamTimeout
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.untrusted import sanitize

T = TypeVar("T")
_LONGEST_MESSAGE: Final = 200
_PATIENCE_S: Final = 0.25
"""How much longer than its time a runner may take to end by itself, and to tell what it called."""
_LOOK: Final = "Look whether anything took effect before asking again."


@dataclass(slots=True, kw_only=True)
class Run:
    """A query that is being run; `may_write` says whether any of its tools may write."""

    query: Query
    may_write: bool
    _turn: int = field(default=0)

    async def ended(
        self, runner: Runner, mesh: Entrance, asker: Asker
    ) -> Answer | InputRequiredResult:
        """Run to the end, to a question, or out of time; cancelled, it waits for what is cleared.

        Raises what the runner does; UpstreamTimeout out of time.
        """
        try:
            async with asyncio.timeout(self.query.timeout_s + _PATIENCE_S):
                return await runner.run(self.query, mesh, asker, self._told_turn)
        except UpstreamTimeout as error:
            raise self._out_of_time(error.details) from None
        except TimeoutError:
            raise self._out_of_time({}) from None
        except UpstreamError as error:
            raise self._honest(error) from None

    def told(self, result: Callable[[], T]) -> T:
        """Return what is made of an answer. Raises what that does, as of a run that has ended."""
        try:
            return result()
        except UpstreamError as error:
            raise self._honest(error) from None

    async def _told_turn(self, number: int, message: str) -> None:
        if number <= self._turn:
            return
        self._turn = number
        said = sanitize(message)[:_LONGEST_MESSAGE]
        await progress.report(number, max(number, self.query.max_turns), said)

    def _out_of_time(self, noted: Details) -> UpstreamError:
        seconds = self.query.timeout_s
        error = UpstreamTimeout(
            f"The agent was stopped: it had not answered after {seconds:.3g} s, in turn "
            f"{self._turn} of {self.query.max_turns}.",
            hint="Give a longer options.timeout, or ask for less.",
            details={"turns": self._turn, **noted, "timeout_ms": round(seconds * 1000)},
        )
        return self._honest(error)

    def _honest(self, error: UpstreamError) -> UpstreamError:
        """Say that the agent failed, and of a run that could have written that it may have."""
        details = {**error.details, FAILED: BY_AGENT}
        if not self.may_write or "may_have_happened" in details:
            return _told_again(error, error.hint, details, retryable=error.retryable)
        hint = f"{_LOOK} {error.hint or ''}".strip()
        return _told_again(error, hint, {**details, "may_have_happened": True}, retryable=False)


def _told_again(
    error: UpstreamError, hint: str | None, details: Details, *, retryable: bool
) -> UpstreamError:
    return type(error)(
        error.message,
        hint=hint,
        retryable=retryable,
        retry_after=error.retry_after,
        details=details,
    )
