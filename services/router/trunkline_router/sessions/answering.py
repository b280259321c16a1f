"""The answer to a request of a session: what a session adds to the conversation without one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mcp_types.jsonrpc import INVALID_PARAMS

from trunkline_router.conversation import Dialect, finished
from trunkline_router.core import Core
from trunkline_router.gates import RELAYED, under
from trunkline_router.model import Caller, Json, Request
from trunkline_router.sessions.client_capabilities import capabilities_of, client_of
from trunkline_router.sessions.feeds import Feeds
from trunkline_router.sessions.rounds import Respondent, Rounds
from trunkline_router.sessions.session import Remembered, Session
from trunkline_router.sessions.session_memory import SessionMemory
from trunkline_router.span import Span
from trunkline_router.tracing import note_caller
from trunkline_router.wire import refusal
from trunkline_router.wire.answer import Answer, success
from trunkline_router.wire.refusal import Refused
from trunkline_shared import meta

_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_MOST_URIS = 256
_LONGEST_URI = 2048
_NOT_FOUND = -32002


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Answers within a session, for the caller that opened it."""

    memory: SessionMemory
    rounds: Rounds
    feeds: Feeds

    def of(self, session: Session, caller: Caller, known: Remembered) -> "InSession":
        return InSession(answering=self, session=session, caller=caller, known=known)


@dataclass(frozen=True, slots=True, kw_only=True)
class InSession:
    """One session as it is known when a request comes in.

    `able` says that the client can be asked something over the stream of its request.
    """

    answering: Answering
    session: Session
    caller: Caller
    known: Remembered
    able: bool = False

    @property
    def client(self) -> Session:
        return self.known.opened or self.session

    async def __call__(self, core: Core, dialect: Dialect, asked: Request, span: Span) -> Answer:
        """Answer as `conversation.once` does. Raises Refused and TrunklineError."""
        note_caller(span, self.caller)
        if asked.method == "initialize":
            return success(asked.id, await self._initialized(dialect, under(asked, self.caller)))
        respondent = Respondent(
            nonce=self.session.nonce, client=self.client, channel=asked.channel, able=self.able
        )
        able = self.session.nonce if respondent.capabilities else ""
        asked = replace(asked, client=self._told(respondent), session=able)
        request = under(asked, self.caller)
        if request.method in RELAYED:
            outcome = await self.answering.rounds.relayed(
                core, request, self.caller, span, respondent
            )
            return finished(dialect, request, outcome, span)
        if request.method == "logging/setLevel":
            return success(request.id, await self._set_level(request.params))
        if request.method == "resources/subscribe":
            return success(request.id, await self._subscribe(core, request))
        if request.method == "resources/unsubscribe":
            return success(request.id, await self._unsubscribe(request))
        return success(request.id, dialect.own(request))

    def _told(self, respondent: Respondent) -> Json:
        """Return what servers are told of the client."""
        told: Json = {meta.CLIENT_CAPABILITIES: respondent.capabilities}
        if self.client.client:
            told[meta.CLIENT_INFO] = self.client.client
        if self.known.level is not None:
            told[meta.LOG_LEVEL] = self.known.level
        return told

    async def _initialized(self, dialect: Dialect, request: Request) -> Json:
        """Answer `initialize` on an event stream, whose id cannot hold what it says."""
        result = dialect.own(request)
        opened = replace(
            self.session,
            version=str(result["protocolVersion"]),
            capabilities=capabilities_of(request.params),
            client=client_of(request.params),
        )
        await self.answering.memory.open(self.session, opened)
        await self.answering.feeds.changed(self.session.nonce)
        return result

    async def _set_level(self, params: Mapping[str, object]) -> Json:
        level = params.get("level")
        if not isinstance(level, str) or level not in _LEVELS:
            raise Refused(INVALID_PARAMS, f"params.level must be one of {', '.join(_LEVELS)}.")
        await self.answering.memory.set_level(self.session, level)
        return {}

    async def _subscribe(self, core: Core, request: Request) -> Json:
        uri = _uri(request.params)
        directory = core.catalog.directory(request.view)
        if not core.subscriptions.updates.reaches(uri, request.view):
            unknown = refusal.unknown("resource", uri, directory.resources, directory.missing)
            raise Refused(_NOT_FOUND, unknown.message, unknown.data)
        if len(self.known.uris) >= _MOST_URIS:
            raise Refused(
                INVALID_PARAMS, f"A session subscribes to {_MOST_URIS} resources at most."
            )
        await self.answering.memory.subscribe(self.session, uri)
        await self.answering.feeds.changed(self.session.nonce)
        return {}

    async def _unsubscribe(self, request: Request) -> Json:
        await self.answering.memory.unsubscribe(self.session, _uri(request.params))
        await self.answering.feeds.changed(self.session.nonce)
        return {}


def _uri(params: Mapping[str, object]) -> str:
    uri = params.get("uri")
    if not isinstance(uri, str) or len(uri) > _LONGEST_URI:
        raise Refused(
            INVALID_PARAMS, f"params.uri must be a string of at most {_LONGEST_URI} characters."
        )
    return uri
