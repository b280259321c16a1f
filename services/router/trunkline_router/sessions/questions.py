"""What clients are asked on behalf of servers, and their answers, whichever replica gets them."""

import asyncio
import itertools
from dataclasses import dataclass, field

import orjson

from trunkline_router.model import Json
from trunkline_router.sessions.background import Background
from trunkline_router.sessions.replica import Replica
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.kept_port import Kept

PATIENCE_S = 600.0
_ANSWERED = "answered"
_PREFIX = "tl"


@dataclass(frozen=True, slots=True)
class Question:
    """A request under way to a client; `id` is like no other of the mesh."""

    id: str
    nonce: str
    answer: "asyncio.Future[Json]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Hands out ids, and answers to whoever waits for them."""

    replica: Replica
    kept: Kept
    background: Background
    _open: dict[str, Question] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.replica.hears(_ANSWERED, self._heard)
        self.replica.begins(self._look_for_all)

    def opened(self, nonce: str) -> Question:
        """Return a new question to a session's client; whoever opens it closes it."""
        number = f"{_PREFIX}-{self.replica.id}-{next(self._numbers)}"
        question = Question(number, nonce, asyncio.get_running_loop().create_future())
        self._open[number] = question
        return question

    def close(self, question: Question) -> None:
        self._open.pop(question.id, None)

    async def answered(self, nonce: str, body: Json) -> None:
        """Take a client's answer; one to what nobody asked, or no more, is dropped.

        Raises UpstreamUnavailable when another replica waits for it, and cannot be told.
        """
        number = body.get("id")
        prefix, _, rest = number.partition("-") if isinstance(number, str) else ("", "", "")
        replica = rest.partition("-")[0]
        if prefix != _PREFIX or not isinstance(number, str):
            return
        if replica == self.replica.id:
            self._resolve(number, nonce, body)
        elif replica.isalnum():
            key = _key(number, nonce)
            await self.kept.put(key, orjson.dumps(body), ttl_s=PATIENCE_S)
            await self.replica.tell(replica, _ANSWERED, {"id": number})

    def _heard(self, content: Json) -> None:
        question = self._open.get(str(content["id"]))
        if question is not None:
            self.background.start(self._look(question))

    def _look_for_all(self) -> None:
        """Look for answers that came while the others could not be heard."""
        for question in self._open.values():
            self.background.start(self._look(question))

    async def _look(self, question: Question) -> None:
        try:
            found = await self.kept.get(_key(question.id, question.nonce))
        except UpstreamUnavailable:
            return
        if found is not None:
            self._resolve(question.id, question.nonce, orjson.loads(found))

    def _resolve(self, number: str, nonce: str, body: Json) -> None:
        question = self._open.get(number)
        if question is not None and question.nonce == nonce and not question.answer.done():
            question.answer.set_result(body)


def _key(number: str, nonce: str) -> str:
    return f"answer:{nonce}:{number[:100]}"
