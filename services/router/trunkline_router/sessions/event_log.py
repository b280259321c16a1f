"""What a stream has told, for as long as somebody may still want to read it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

_MOST_EVENTS = 1000
_MOST_BYTES = 4 * 1024 * 1024


@dataclass(slots=True, kw_only=True, eq=False)
class EventLog:
    """Messages with rising numbers; beyond its bounds the oldest go, never the last one.

    `nonce` is the session that may read it. `lost` says that something has been let go unread.
    Answers never go: a client would wait for them in vain.
    """

    name: str
    nonce: str
    last: int = 0
    size: int = 0
    ended: bool = False
    lost: bool = False
    # Ten thousand of them may have nothing to tell: the smallest things that hold it.
    _events: list[tuple[int, bytes]] = field(default_factory=list)
    _answers: frozenset[int] = frozenset()
    _waiting: list["asyncio.Future[bool]"] = field(default_factory=list)

    def tell(self, data: bytes, number: int | None = None, *, answers: bool = False) -> None:
        """Add a message, under the next number unless another replica has numbered it."""
        self.last = self.last + 1 if number is None else number
        self._events.append((self.last, data))
        self.size += len(data)
        if answers:
            self._answers |= {self.last}
        while self._is_full and (oldest := self._oldest_to_go()) is not None:
            self._let_go(oldest)
            self.lost = True
        self._wake(news=True)

    def is_answer(self, number: int) -> bool:
        """Say whether a message answers a request."""
        return number in self._answers

    def end(self) -> None:
        """Say that nothing follows."""
        self.ended = True
        self._wake(news=True)

    def stir(self) -> None:
        """Wake whoever waits, without anything to tell."""
        self._wake(news=False)

    def after(self, seen: int) -> Sequence[tuple[int, bytes]]:
        """Return the messages that follow number `seen`."""
        return [event for event in self._events if event[0] > seen]

    def forget(self, seen: int) -> None:
        """Let go of what nobody will ask for again."""
        while self._events and self._events[0][0] <= seen:
            self._let_go(self._events[0])

    async def news(self, seen: int) -> bool:
        """Wait until something follows number `seen`, or nothing ever will: False if stirred."""
        while self.last <= seen and not self.ended:
            waiting: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            try:
                if not await waiting:
                    return False
            finally:
                self._waiting.remove(waiting)
        return True

    @property
    def _is_full(self) -> bool:
        return len(self._events) > _MOST_EVENTS or self.size > _MOST_BYTES

    def _oldest_to_go(self) -> tuple[int, bytes] | None:
        may_go = (one for one in self._events if one[0] not in self._answers | {self.last})
        return next(may_go, None)

    def _let_go(self, event: tuple[int, bytes]) -> None:
        self._events.remove(event)
        self._answers -= {event[0]}
        self.size -= len(event[1])

    def _wake(self, *, news: bool) -> None:
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(news)
