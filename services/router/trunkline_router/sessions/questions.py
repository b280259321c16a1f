"""What clients are asked on behalf of servers, and their answers, whichever replica gets them."""

import asyncio
import itertools
import logging
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass, field

from trunkline_router.model import Json
from trunkline_router.sessions.background import Background
from trunkline_router.sessions.replica import Replica
from trunkline_shared.ending import shutting_down

log = logging.getLogger(__name__)

_ANSWERED = "answered"
_TAKEN = "taken"
_PREFIX = "tl"
_ID = re.compile(rf"{_PREFIX}-([0-9a-f]{{1,16}})-[0-9]{{1,16}}")
_ATTEMPTS = 2
_ATTEMPT_S = 1.0


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
    background: Background
    _open: dict[str, Question] = field(default_factory=dict)
    _passing: dict[str, asyncio.Event] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.replica.hears(_ANSWERED, self._heard)
        self.replica.hears(_TAKEN, self._heard_taken)

    def opened(self, nonce: str) -> Question:
        """Return a new question to a session's client; whoever opens it closes it."""
        number = f"{_PREFIX}-{self.replica.id}-{next(self._numbers)}"
        question = Question(number, nonce, asyncio.get_running_loop().create_future())
        self._open[number] = question
        return question

    def close(self, question: Question) -> None:
        self._open.pop(question.id, None)

    def give_up(self) -> None:
        """Let nobody wait for a client any longer: the router ends."""
        for question in self._open.values():
            if not question.answer.done():
                question.answer.set_exception(shutting_down())
                # Of several questions of one round, only the first is waited for.
                question.answer.exception()

    async def answered(self, nonce: str, body: Json) -> None:
        """Take a client's answer; one to what nobody asked, or no more, is dropped.

        Raises UpstreamUnavailable when another replica waits for it, and cannot be told.
        """
        number = body.get("id")
        found = _ID.fullmatch(number) if isinstance(number, str) else None
        if found is None:
            return
        if found[1] == self.replica.id:
            self._resolve(found[0], nonce, body)
        else:
            await self._pass_on(found[1], {"id": found[0], "nonce": nonce, "body": body})

    async def _pass_on(self, replica: str, content: Json) -> None:
        """Tell another replica until it says that it has heard, or does not seem to be there."""
        passing = secrets.token_hex(8)
        taken = self._passing[passing] = asyncio.Event()
        try:
            for _ in range(_ATTEMPTS):
                await self.replica.tell(replica, _ANSWERED, content | {"passing": passing})
                if await _set_soon(taken):
                    return
        finally:
            del self._passing[passing]
        log.info("no replica took a client's answer: %s", content["id"])

    async def _take(self, content: Json) -> None:
        body = content["body"]
        if isinstance(body, dict):
            self._resolve(str(content["id"]), str(content["nonce"]), body)
        taken: Json = {"passing": content["passing"]}
        await self.replica.try_to_tell(str(content["from"]), _TAKEN, taken)

    def _heard(self, content: Json) -> None:
        self.background.start(self._take(content))

    def _heard_taken(self, content: Json) -> None:
        if taken := self._passing.get(str(content["passing"])):
            taken.set()

    def _resolve(self, number: str, nonce: str, body: Json) -> None:
        question = self._open.get(number)
        if question is not None and question.nonce == nonce and not question.answer.done():
            question.answer.set_result(body)


async def _set_soon(event: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(_ATTEMPT_S):
            await event.wait()
    return event.is_set()
