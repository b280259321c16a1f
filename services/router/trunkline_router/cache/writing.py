"""Writes: what they touch is bumped before they are sent, and again when they have ended."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass

from pydantic import ValidationError

from trunkline_router.cache.bumps import DOUBT_S, SETTLE_S, Bumps, Cause
from trunkline_router.cache.questions import SERVER, given_arguments, taken_arguments
from trunkline_router.cache.stored import reuse_of
from trunkline_router.cache.tags import fill
from trunkline_router.model import Call, Outcome, ToolSpec
from trunkline_router.pipeline import Next
from trunkline_shared import wire
from trunkline_shared.errors import TrunklineError


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Lets a write through, each one, and makes known what it has touched.

    `owned` says whether a server's word about its own results is believed. `tasks` hold what has
    to be finished though its caller has left.
    """

    bumps: Bumps
    owned: Callable[[str], bool]
    tasks: Callable[[], asyncio.TaskGroup]

    async def perform(self, call: Call, tool: ToolSpec, onward: Next) -> Outcome:
        """Send a write. Raises what sending raises, once what it touched is bumped."""
        tags = touched(call, tool)
        await self.bumps.bump(tags, Cause.BEFORE_WRITE)
        try:
            outcome = await onward(call)
        except TrunklineError as error:
            await self._finish(self.bumps.bump(tags, Cause.WRITE, hold_s=_hold_s(error)))
            raise
        except Exception:
            await self._finish(self.bumps.bump(tags, Cause.WRITE, hold_s=DOUBT_S))
            raise
        except BaseException:
            # Its caller has left, or the router ends: the server may have done it all the same.
            _ = self._begin(self.bumps.bump(tags, Cause.WRITE, hold_s=DOUBT_S))
            raise
        more = self._told(outcome)
        error_told = wire.from_result(outcome.result) if outcome.is_error else None
        await self._finish(self.bumps.bump((*tags, *more), Cause.WRITE, hold_s=_hold_s(error_told)))
        return outcome

    def _told(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the tags that the answer names; none where it says what nobody understands."""
        if outcome.error is not None or not self.owned(outcome.server):
            return ()
        try:
            return reuse_of(outcome).tags
        except ValidationError:
            return ()

    async def _finish(self, bump: Coroutine[object, object, None]) -> None:
        """Wait for a bump that goes on though its caller leaves."""
        await asyncio.shield(self._begin(bump))

    def _begin(self, bump: Coroutine[object, object, None]) -> "asyncio.Task[None]":
        return self.tasks().create_task(bump)


def touched(call: Call, tool: ToolSpec) -> tuple[str, ...]:
    """Return the tags that a write may change; one that declares none may change its server's.

    So may one whose tag begins with what it was not told.
    """
    everything, writes = f"{SERVER}{tool.server}", tool.policy.writes
    if writes is None:
        return (everything,)
    arguments = taken_arguments(tool, given_arguments(call) or {})
    return tuple(fill(template, arguments).tag or everything for template in writes.tags)


def _hold_s(error: TrunklineError | None) -> float:
    if error is not None and error.details.get("may_have_happened") is True:
        return DOUBT_S
    return SETTLE_S
