"""What a stream has told, for as long as somebody may still want to read it."""

import asyncio
from collections import deque
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
    _events: deque[tuple[int, bytes]] = field(default_factory=deque)
    _answers: set[int] = field(default_factory=set)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, data: bytes, number: int | None = None, *, answers: bool = False) -> None:
        """Add a message, under the next number unless another replica has numbered it."""
        self.last = self.last + 1 if number is None else number
        self._events.append((self.last, data))
        self.size += len(data)
        if answers:
            self._answers.add(self.last)
        while self._is_full and (oldest := self._oldest_to_go()) is not None:
            self._let_go(oldest)
            self.lost = True
        self._wake()

    def is_answer(self, number: int) -> bool:
        """Say whether a message answers a request."""
        return number in self._answers

    def end(self) -> None:
        """Say that nothing follows."""
        self.ended = True
        self._wake()

    def after(self, seen: int) -> Sequence[tuple[int, bytes]]:
        """Return the messages that follow number `seen`."""
        return [event for event in self._events if event[0] > seen]

    def forget(self, seen: int) -> None:
        """Let go of what nobody will ask for again."""
        while self._events and self._events[0][0] <= seen:
            self._let_go(self._events[0])

    async def news(self, seen: int) -> None:
        """Wait until something follows number `seen`, or nothing ever will."""
        while self.last <= seen and not self.ended:
            await self._news.wait()

    @property
    def _is_full(self) -> bool:
        return len(self._events) > _MOST_EVENTS or self.size > _MOST_BYTES

    def _oldest_to_go(self) -> tuple[int, bytes] | None:
        may_go = (one for one in self._events if one[0] not in self._answers | {self.last})
        return next(may_go, None)

    def _let_go(self, event: tuple[int, bytes]) -> None:
        self._events.remove(event)
        self._answers.discard(event[0])
        self.size -= len(event[1])

    def _wake(self) -> None:
        waiting, self._news = self._news, asyncio.Event()
        waiting.set()
