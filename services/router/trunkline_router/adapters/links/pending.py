"""One request at a server: what is told, what is asked back, and how it ends. No I/O."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from trunkline_router.link import Reply
from trunkline_router.model import Channel, Json, RequestId
from trunkline_router.wire.event import as_event
from trunkline_shared.meta import LOG_LEVEL

_MOST_TOLD = 1024
_PROGRESS = "notifications/progress"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a server asks of the client while it works on a request; `id` is the server's."""

    id: RequestId
    method: str
    params: Json


@dataclass(slots=True, kw_only=True, eq=False)
class Pending:
    """A request that is not answered yet; `number` is its id at the server.

    `token` is the client's progress token, `level` the least level of log messages that it wants.
    `asks` says that the server may ask something back while it works on it.
    """

    number: int
    method: str
    token: object = None
    level: str | None = None
    asks: bool = False
    questions: dict[str, Question] = field(default_factory=dict)
    _asked: int = 0
    _told: deque[tuple[str, Json]] = field(default_factory=lambda: deque(maxlen=_MOST_TOLD))
    _end: Reply | Exception | None = None
    _stirred: asyncio.Event = field(default_factory=asyncio.Event)
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def ended(self) -> bool:
        return self._end is not None

    def end(self, how: Reply | Exception) -> None:
        """Note the answer, or why there will be none; only the first counts."""
        if self._end is None:
            self._end = how
            self._over.set()
            self._stirred.set()

    def tell(self, method: str, params: Json) -> None:
        """Keep a notification for the client; of very many the oldest are dropped."""
        self._told.append((method, params))
        self._stirred.set()

    def taken_up(self, meta: Json) -> None:
        """Note how the request that comes back for it wants to be told of it."""
        level = meta.get(LOG_LEVEL)
        self.token = meta.get("progressToken")
        self.level = level if isinstance(level, str) else None

    def ask(self, question: Question) -> None:
        """Keep a question for the client, under a key of its own."""
        self._asked += 1
        self.questions[f"{question.method.rpartition('/')[0] or 'ask'}-{self._asked}"] = question
        self._stirred.set()

    def stir(self) -> None:
        """Let whoever follows look again."""
        self._stirred.set()

    async def over(self) -> None:
        """Wait for the end, whatever it is."""
        await self._over.wait()

    def withdraw(self, id_: object) -> None:
        """Forget a question that the server has taken back."""
        for key in [key for key, asked in self.questions.items() if asked.id == id_]:
            del self.questions[key]

    async def follow(self, channel: Channel) -> Reply | None:
        """Pass on what is told until the answer, or until something is asked: then None.

        Raises what the request ended with.
        """
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            await self._pass_on(channel)
            if isinstance(self._end, Exception):
                raise self._end
            if self._end is not None:
                return self._end
            if self.questions:
                return None

    async def _pass_on(self, channel: Channel) -> None:
        while self._told:
            method, params = self._told.popleft()
            if method == _PROGRESS:
                if self.token is None:
                    continue
                # Each request of a caller that comes back has a token of its own.
                params |= {"progressToken": self.token}
            await channel.send(as_event({"jsonrpc": "2.0", "method": method, "params": params}))
