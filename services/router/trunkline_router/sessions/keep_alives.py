"""The turns in which streams with nothing to tell say that they are alive, a few at a time."""

import asyncio
from dataclasses import dataclass, field

from trunkline_router.sessions.event_log import EventLog
from trunkline_router.wire.event import KEEP_ALIVE_S

_TURNS = 150


@dataclass(slots=True, kw_only=True, eq=False)
class KeepAlives:
    """Stirs each stream once in `KEEP_ALIVE_S`.

    One timer for all of them, since thousands may stand; and however many were opened at the same
    moment, as after a restart, they are spread over all turns.
    """

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
        self._timer = loop.call_later(KEEP_ALIVE_S / _TURNS, self._turn)

    def _turn(self) -> None:
        self._wind()
        for log in self._turns[self._next]:
            log.stir()
        self._next = (self._next + 1) % _TURNS
