"""Calls that run now, and the end of those that the router's own end cannot wait for."""

import asyncio
from dataclasses import dataclass, field

from trunkline_router.model import Call, Outcome
from trunkline_router.pipeline import Next
from trunkline_shared.ending import shutting_down
from trunkline_shared.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Underway:
    """The outermost stage: knows each call until it is answered."""

    _calls: dict[asyncio.Timeout, Call] = field(default_factory=dict)
    _answered: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, call: Call, onward: Next) -> Outcome:
        """Pass the call on. Raises Cancelled when it was cut short."""
        cut = asyncio.timeout(None)
        try:
            async with cut:
                self._calls[cut] = call
                return await onward(call)
        except TimeoutError:
            if not cut.expired():
                raise
            raise _cut_short(call) from None
        finally:
            self._calls.pop(cut, None)
            if not self._calls:
                self._answered.set()

    async def answered(self) -> None:
        """Wait until no call runs, whoever is still there to hear its answer."""
        while self._calls:
            self._answered.clear()
            await self._answered.wait()

    def cut_short(self, *, waits_only: bool = False) -> None:
        """Let calls answer now that they have come to no end: all, or those that wait for long."""
        now = asyncio.get_running_loop().time()
        for cut, call in list(self._calls.items()):
            if (not waits_only or _waits(call)) and not cut.expired():
                cut.reschedule(now)


def _waits(call: Call) -> bool:
    return call.tool is not None and call.tool.policy.waits


def _cut_short(call: Call) -> Cancelled:
    if call.tool is None or not call.tool.writes:
        return shutting_down()
    return Cancelled(
        "The router is shutting down; it did not wait for the end of this call.",
        hint="Look whether it took effect before calling again.",
        details={"reason": "shutting_down", "may_have_happened": True},
    )
