"""The turns in which streams with nothing to tell say that they are alive, a few at a time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from trunkline_router.sessions.event_log import EventLog
from trunkline_router.wire.event import KEEP_ALIVE_S

_TURNS = 150
_AT_ONCE = 4


@dataclass(slots=True, kw_only=True, eq=False)
class KeepAlives:
    """Stirs each stream once in `period_s`, seconds.

    One timer for all of them, since thousands may stand; and however many were opened at the same
    moment, as after a restart, they are spread over all turns.
    """

    period_s: float = KEEP_ALIVE_S
    _turns: tuple[set[EventLog], ...] = field(
        default_factory=lambda: tuple(set[EventLog]() for _ in range(_TURNS))
    )
    _next: int = 0
    _timer: asyncio.TimerHandle | None = None

    def join(self, log: EventLog) -> None:
        """Let a stream have its turns from now on."""
        min(self._turns, key=len).add(log)
        if self._timer is None:
            self._wind()

    def leave(self, log: EventLog) -> None:
        """Let it have no more."""
        for turn in self._turns:
            turn.discard(log)
        if self._timer is not None and not any(self._turns):
            self._timer.cancel()
            self._timer = None

    def _wind(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self.period_s / _TURNS, self._turn)

    def _turn(self) -> None:
        self._wind()
        self._stir(tuple(self._turns[self._next]))
        self._next = (self._next + 1) % _TURNS

    def _stir(self, logs: Sequence[EventLog]) -> None:
        for log in logs[:_AT_ONCE]:
            log.stir()
        if len(logs) > _AT_ONCE:
            # Each is written to its client; others' calls come in between.
            asyncio.get_running_loop().call_soon(self._stir, logs[_AT_ONCE:])
