"""The endpoints of 2024-11-05: one event stream for all answers, and a path to post requests to.

Spec 2024-11-05, "HTTP with SSE".
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from urllib.parse import quote

from aiohttp import web

from trunkline_router.edges.request_reading import listening, request_of, view_of
from trunkline_router.edges.standing_stream import stood
from trunkline_router.gates import under
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.model import Channel, Era, Json, Limits, Request
from trunkline_router.sessions.answering import InSession
from trunkline_router.sessions.event_log import EventLog
from trunkline_router.sessions.feed import Feed
from trunkline_router.sessions.session_ids import unknown_session
from trunkline_router.sessions.session_memory import NOTHING
from trunkline_router.sessions.sessions import Sessions, unheard
from trunkline_router.tracing import record_unread
from trunkline_router.view import View
from trunkline_router.wire import envelope
from trunkline_router.wire.answer import Answer, refused
from trunkline_router.wire.body import read_body
from trunkline_router.wire.channel import EventStream, json_response
from trunkline_router.wire.envelope import BATCH_CAP, Message
from trunkline_router.wire.event import data_of
from trunkline_router.wire.http_request import ParsedRequest
from trunkline_router.wire.refusal import Refused, invalid_request
from trunkline_shared.errors import UpstreamUnavailable

_SESSION = "session_id"
_MESSAGE = "stream message"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """The way to an event stream, which stands here or at another replica."""

    endpoint: "SseEndpoint"
    nonce: str
    replica: str

    async def send(self, frame: bytes) -> None:
        data = data_of(frame)
        if data:
            await self.endpoint.tell(self.nonce, self.replica, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class SseEndpoint:
    """`/sse` and `/messages`, and the same under `/servers/{id}`."""

    sessions: Sessions
    limits: Limits
    _open: dict[str, EventLog] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sessions.replica.hears(_MESSAGE, self._heard)

    async def tell(self, nonce: str, replica: str, data: bytes) -> None:
        """Pass a message on to a stream; one whose client has left is dropped."""
        if replica == self.sessions.replica.id:
            self._tell_here(nonce, data)
        else:
            content: Json = {"nonce": nonce, "data": data.decode()}
            await self.sessions.replica.try_to_tell(replica, _MESSAGE, content)

    async def stream(self, http: web.BaseRequest, scope: str | None) -> web.StreamResponse:
        """Open an event stream, whose first event says where to post."""
        if http.method != "GET":
            return _only("GET")
        raw = http.rel_url.raw_query_string
        try:
            view = view_of(raw, scope)
            caller = await self.sessions.core.tokens.verify(bearer_of(http.headers))
            asked = listening(ParsedRequest(http), view)
            request = under(asked, caller)
        except Refused as refusal:
            return json_response(refused(None, refusal))
        session, text = self.sessions.opened_on_stream(caller, scope)
        log = self._open[session.nonce] = EventLog(name="", nonce=session.nonce)
        stream = EventStream(http, stall_s=self.limits.stall_s)
        feed = Feed(session=session, caller=caller, asked=request, log=log, answers=True)
        try:
            await self.sessions.memory.begin(session)
            await stream.write(_endpoint(text, raw, scope))
            return await stood(stream, self.sessions.feeds, feed)
        finally:
            del self._open[session.nonce]
            self.sessions.background.start(self.sessions.ended(session))

    async def post(self, http: web.BaseRequest, scope: str | None) -> web.StreamResponse:
        """Take a message, whose answer goes to the session's stream."""
        if http.method != "POST":
            return _only("POST")
        try:
            bodies = _messages(envelope.decode(await read_body(http, self.limits)))
            text, raw = _without_session(http.rel_url.raw_query_string)
            view = view_of(raw, scope)
            found = await self.sessions.entered(text, bearer_of(http.headers), scope)
            self._must_stand(found)
            for message in bodies:
                await self._take(http, message, view, found)
        except Refused as refusal:
            recorder = self.sessions.core.recorder
            record_unread(recorder, http.headers.get("traceparent"), refusal.code)
            return json_response(refused(None, refusal))
        except UpstreamUnavailable as gone:
            return json_response(refused(None, unheard(gone)))
        return web.Response(status=202, text="Accepted")

    def _must_stand(self, found: InSession) -> None:
        """Raise Refused for a stream that nobody reads any more, as far as can be known."""
        if found.session.replica == self.sessions.replica.id:
            stands = found.session.nonce in self._open
        else:
            stands = found.known is not NOTHING and bool(found.session.replica)
        if not stands:
            raise unknown_session()

    async def _take(
        self, http: web.BaseRequest, message: Message, view: View, found: InSession
    ) -> None:
        session = found.session
        if message.id is None:
            await self.sessions.told(session, message.method, message.params, message.body)
            return
        way = _Way(endpoint=self, nonce=session.nonce, replica=session.replica)
        received = self.sessions.clock.monotonic()
        request = request_of(ParsedRequest(http), message, way, view, Era.LEGACY, received)
        work = partial(self._answered, replace(found, able=True), request, way, http)
        self.sessions.calls.start(session.nonce, message.id, work, _told)

    async def _answered(
        self, found: InSession, request: Request, way: Channel, http: web.BaseRequest
    ) -> Answer:
        answer = await self.sessions.answer(found, request, http.headers)
        await way.send(answer.to_event())
        return answer

    def _heard(self, content: Json) -> None:
        self._tell_here(str(content["nonce"]), str(content["data"]).encode())

    def _tell_here(self, nonce: str, data: bytes) -> None:
        log = self._open.get(nonce)
        if log is not None:
            log.tell(data)


def _told(answer: Answer | None) -> None:
    """Do nothing: the answer has gone its way already."""


def _endpoint(text: str, raw: str, scope: str | None) -> bytes:
    path = "/messages" if scope is None else f"/servers/{quote(scope)}/messages"
    query = f"{raw}&{_SESSION}={text}" if raw else f"{_SESSION}={text}"
    return f"event: endpoint\ndata: {path}?{query}\n\n".encode()


def _without_session(raw: str) -> tuple[str, str]:
    """Return the session id of a query string, and the rest of it as it came."""
    fields = raw.split("&") if raw else []
    ids = [one for one in fields if one.partition("=")[0] == _SESSION]
    rest = "&".join(one for one in fields if one.partition("=")[0] != _SESSION)
    if len(ids) != 1:
        raise invalid_request(f"The query string must have one {_SESSION}.")
    return ids[0].partition("=")[2], rest


def _messages(body: object) -> Sequence[Message]:
    if not isinstance(body, list):
        return (envelope.read_message(body),)
    if not 0 < len(body) <= BATCH_CAP:
        raise invalid_request(f"A batch has 1 to {BATCH_CAP} messages.")
    return [envelope.read_message(one) for one in body]


def _only(method: str) -> web.StreamResponse:
    response = json_response(refused(None, invalid_request(f"It takes {method} only.", status=405)))
    response.headers["Allow"] = method
    return response
