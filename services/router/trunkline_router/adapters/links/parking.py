"""Calls that wait for their caller's answer: the call stays at its server, the caller comes back.

Spec 2026-07-28, "Multi Round-Trip Requests": the state is signed, and good for one caller, one
target and its arguments only.
"""

import asyncio
import secrets
from dataclasses import dataclass, field

import orjson
from mcp_types.jsonrpc import INVALID_PARAMS

from trunkline_router.adapters.links.link_tasks import LinkTasks
from trunkline_router.adapters.links.peer import refusal
from trunkline_router.adapters.links.pending import Pending, Question
from trunkline_router.adapters.links.server_session import ServerSession
from trunkline_router.adapters.links.translation import digest_of
from trunkline_router.link import Post, Reply
from trunkline_router.model import Json
from trunkline_router.wire.refusal import Refused
from trunkline_shared.clock import Clock
from trunkline_shared.errors import Cancelled, Overloaded
from trunkline_shared.signing import SigningKeys

PURPOSE = "state of calls that wait for an answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParkingTerms:
    """How many calls may wait for their callers at one server, and how long; seconds."""

    most: int = 64
    wait_s: float = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked:
    """A call that waits at its server."""

    session: ServerSession
    pending: Pending
    leaving: "asyncio.Task[None]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parking:
    """Holds the calls of one server's sessions."""

    keys: SigningKeys = field(repr=False)
    clock: Clock
    background: LinkTasks
    terms: ParkingTerms = ParkingTerms()
    _held: dict[str, Parked] = field(default_factory=dict)

    def park(self, session: ServerSession, pending: Pending, post: Post) -> Reply:
        """Keep a call for its caller; returns what the caller is asked. Raises Overloaded."""
        if len(self._held) >= self.terms.most:
            session.give_up(pending, "Too many calls wait for their callers.")
            raise Overloaded(
                f"{self.terms.most} calls to server {post.server!r} wait for an answer already.",
                hint="Call again when some of them have been answered.",
            )
        ticket = secrets.token_urlsafe(16)
        leaving = self.background.start(self._expire(ticket))
        self._held[ticket] = Parked(session=session, pending=pending, leaving=leaving)
        asked: Json = {key: _as_asked(question) for key, question in pending.questions.items()}
        return Reply(result=input_required(asked, self.sealed(post, ticket)))

    def sealed(self, post: Post, ticket: str) -> str:
        """Return the state that lets the caller of a request come back to it."""
        expires = self.clock.now() + self.terms.wait_s
        return self.keys.sealed(orjson.dumps([ticket, digest_of(post), expires]))

    def taken(self, post: Post, state: str) -> Parked | None:
        """Return the call that a retry comes back to; None when it is to be made once more.

        Raises Refused for a state that is not ours or of another request, and Cancelled when its
        call is not waiting here (any more).
        """
        ticket, digest, expires = self._opened(state)
        if digest != digest_of(post):
            raise Refused(INVALID_PARAMS, "requestState belongs to another request.")
        if not ticket and self.clock.now() < expires:
            return None
        parked = self._held.pop(ticket, None)
        if parked is None:
            raise _not_waiting(post)
        parked.leaving.cancel()
        return parked

    def abandon(self, state: str) -> None:
        """Let go of the call that waits under a state; another mesh's or server's is none."""
        content = self.keys.opened(state)
        if content is not None:
            self._let_go(orjson.loads(content)[0], "Its caller has given it up.")

    def _opened(self, state: str) -> tuple[str, str, float]:
        content = self.keys.opened(state)
        if content is None:
            raise Refused(INVALID_PARAMS, "requestState is not one that this mesh has given out.")
        ticket, digest, expires = orjson.loads(content)
        return ticket, digest, expires

    async def _expire(self, ticket: str) -> None:
        await self.clock.sleep(self.terms.wait_s)
        self._let_go(ticket, "Nobody answered in time.")

    def _let_go(self, ticket: str, reason: str) -> None:
        parked = self._held.pop(ticket, None)
        if parked is None:
            return
        for question in parked.pending.questions.values():
            parked.session.answer(refusal(question.id, reason))
        parked.session.give_up(parked.pending, reason)
        parked.leaving.cancel()


def deliver(parked: Parked, responses: object) -> None:
    """Hand the caller's answers to the server; what is not answered stays asked."""
    given = responses if isinstance(responses, dict) else {}
    questions = parked.pending.questions
    for key in [key for key in questions if isinstance(given.get(key), dict)]:
        question = questions.pop(key)
        parked.session.answer({"jsonrpc": "2.0", "id": question.id, "result": given[key]})
    parked.pending.stir()


def input_required(asked: Json, state: str) -> Json:
    """Return the result that asks the caller something."""
    return {"resultType": "input_required", "inputRequests": asked, "requestState": state}


def _as_asked(question: Question) -> Json:
    return {"method": question.method, "params": question.params}


def _not_waiting(post: Post) -> Cancelled:
    return Cancelled(
        "The call that this answers is not waiting here any more: it waited too long, or its "
        "router was restarted, or it waits at another replica.",
        hint="Call again without inputResponses and requestState."
        if post.repeatable
        else "Look whether it took effect before calling again.",
        retryable=post.repeatable,
        details={} if post.repeatable else {"may_have_happened": True},
    )
