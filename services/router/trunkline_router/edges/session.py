"""The MCP endpoint for legacy clients: requests, batches, streams and the end of sessions."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from aiohttp import web

from trunkline_router.edges.delivery import PRIMED_SINCE, Form, deliver, followed
from trunkline_router.edges.request_reading import accepts, listening, request_of, view_of
from trunkline_router.edges.standalone_stream import standalone_stream
from trunkline_router.gates import RELAYED
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.model import Channel, Era, Limits, Request, Unheard
from trunkline_router.sessions.answering import InSession
from trunkline_router.sessions.kept_streams import place_of
from trunkline_router.sessions.posted import Posted
from trunkline_router.sessions.sessions import Sessions, unheard
from trunkline_router.tracing import record_unread
from trunkline_router.view import View
from trunkline_router.wire import envelope
from trunkline_router.wire.answer import Answer, refused
from trunkline_router.wire.channel import EventStream, json_response
from trunkline_router.wire.client_channel import ClientChannel
from trunkline_router.wire.envelope import BATCH_CAP, BATCH_VERSIONS, Message
from trunkline_router.wire.http_request import HttpRequest, ParsedRequest, Reply
from trunkline_router.wire.refusal import Refused, invalid_request
from trunkline_shared.errors import UpstreamUnavailable

SESSION_HEADER = "Mcp-Session-Id"
_RESUME_HEADER = "Last-Event-ID"
_EVENTS = "text/event-stream"
_UNHEARD = Unheard()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEndpoint:
    """What `/mcp` and `/servers/{id}/mcp` are to clients that open with `initialize`."""

    sessions: Sessions
    limits: Limits

    async def post(self, http: HttpRequest, message: Message, view: View) -> Reply:
        """Answer one message."""
        if message.method == "initialize" and message.id is not None:
            return await self._initialize(http, message, view)
        if SESSION_HEADER not in http.headers:
            return await self._alone(http, message, view)
        try:
            found = await self._entered(http, view.scope)
            if message.id is None:
                await self._told(found, message)
                return web.Response(status=202)
        except Refused as refusal:
            self._record(http, refusal)
            return refused(message.id, refusal)
        except UpstreamUnavailable as gone:
            return refused(message.id, unheard(gone))
        return await self._answered_in(http, message, found, view)

    async def batch(self, http: HttpRequest, bodies: list[object], view: View) -> Reply:
        """Answer a batch of 2025-03-26, its requests at the same time. Raises Refused."""
        found = await self._entered(http, view.scope) if SESSION_HEADER in http.headers else None
        version = found.client.version if found is not None else None
        allowed = envelope.may_batch(http.headers) if version is None else version in BATCH_VERSIONS
        if not bodies or len(bodies) > BATCH_CAP or not allowed:
            raise invalid_request(
                f"A batch of 1 to {BATCH_CAP} messages is taken in revision 2025-03-26 "
                "only; send one message per request."
            )
        read = [self._read(http, body) for body in bodies]
        notes = [one for one in read if isinstance(one, Message) and one.id is None]
        due = [one for one in read if isinstance(one, Answer) or one.id is not None]
        nonce = found.session.nonce if found is not None else secrets.token_hex(8)
        posted = self._posted(http, nonce, due)
        self._start(http, posted, found, view, due)
        for note in notes:
            await self._noted(nonce, found, note)
        try:
            return await self._deliver(http, posted, found, batch=True)
        finally:
            if found is None:
                self.sessions.calls.drop(nonce)

    async def other(self, http: web.BaseRequest, scope: str | None) -> web.StreamResponse:
        """Open or resume a stream (GET), or end a session (DELETE); both need a session."""
        if http.method not in {"GET", "DELETE"} or SESSION_HEADER not in http.headers:
            refusal = invalid_request("This endpoint takes POST only.", status=405)
            response = json_response(refused(None, refusal))
            response.headers["Allow"] = "POST"
            return response
        try:
            found = await self._entered(ParsedRequest(http), scope)
            if http.method == "DELETE":
                await self.sessions.ended(found.session)
                return web.Response(status=204)
            view = view_of(http.rel_url.raw_query_string, scope)
            if not accepts(http.headers, _EVENTS):
                raise invalid_request(f"Accept must include {_EVENTS}.", status=406)
        except Refused as refusal:
            return json_response(refused(None, refusal))
        return await self._stream(http, found, view)

    async def _stream(
        self, http: web.BaseRequest, found: InSession, view: View
    ) -> web.StreamResponse:
        last = http.headers.get(_RESUME_HEADER)
        place = place_of(last) if last is not None else None
        stream = EventStream(http, stall_s=self.limits.stall_s)
        if place is not None:
            log = await self.sessions.resuming.stream(found.session.nonce, place)
            return await followed(stream, log, place.number)
        asked = listening(ParsedRequest(http), view)
        return await standalone_stream(stream, self.sessions, found, asked, again=last is not None)

    async def _initialize(self, http: HttpRequest, message: Message, view: View) -> Reply:
        request = self._request(http, message, view)
        answer = await self.sessions.answer(None, request, http.headers)
        if answer.error is not None:
            return answer
        response = json_response(answer)
        opened = await self.sessions.opened(request.bearer, message.params, view.scope)
        response.headers[SESSION_HEADER] = opened
        return response

    async def _answered_in(
        self, http: HttpRequest, message: Message, found: InSession, view: View
    ) -> Reply:
        if message.method not in RELAYED:
            # Answered at once, here: nothing to tell on the way, to cancel or to resume.
            request = self._request(http, message, view)
            return await self.sessions.answer(found, request, http.headers)
        posted = self._posted(http, found.session.nonce, [message])
        self._start(http, posted, found, view, [message])
        return await self._deliver(http, posted, found, batch=False)

    async def _alone(self, http: HttpRequest, message: Message, view: View) -> Reply:
        """Answer a message without a session: there is nothing that a notification could be of."""
        if message.id is None:
            return web.Response(status=202)
        streams = accepts(http.headers, _EVENTS)
        channel = ClientChannel(http, streams=streams, stall_s=self.limits.stall_s)
        request = self._request(http, message, view, channel)
        answer = await self.sessions.answer(None, request, http.headers)
        return await channel.finish(answer)

    async def _entered(self, http: HttpRequest, scope: str | None) -> InSession:
        text = http.headers[SESSION_HEADER]
        bearer = http.fact("bearer", bearer_of)
        return await self.sessions.entered(text, bearer, scope, http.caller)

    async def _told(self, found: InSession, message: Message) -> None:
        await self.sessions.told(found.session, message.method, message.params, message.body)

    async def _noted(self, nonce: str, found: InSession | None, note: Message) -> None:
        if found is not None:
            await self._told(found, note)
        elif note.method == "notifications/cancelled":
            self.sessions.calls.cancel_here(nonce, note.params.get("requestId"))

    def _posted(self, http: HttpRequest, nonce: str, due: Sequence[Message | Answer]) -> Posted:
        ids = tuple(one.id for one in due if isinstance(one, Message) and one.id is not None)
        posted = Posted(
            log=self.sessions.streams.opened(nonce, ids),
            streams=accepts(http.headers, _EVENTS),
            answers=[one if isinstance(one, Answer) else None for one in due],
            left=len(ids),
        )
        if not ids:
            posted.log.end()
            posted.ready.set()
            self._end(posted)
        return posted

    def _start(
        self,
        http: HttpRequest,
        posted: Posted,
        found: InSession | None,
        view: View,
        due: Sequence[Message | Answer],
    ) -> None:
        for position, message in enumerate(due):
            if isinstance(message, Answer) or message.id is None:
                continue
            request = self._request(http, message, view, posted)
            able = None if found is None else replace(found, able=posted.streams)
            answering = partial(self.sessions.answer, able, request, http.headers)
            done = partial(self._answered, posted, position)
            self.sessions.calls.start(posted.log.nonce, message.id, answering, done)

    def _answered(self, posted: Posted, position: int, answer: Answer | None) -> None:
        posted.answered(position, answer)
        if not posted.left:
            self._end(posted)

    def _end(self, posted: Posted) -> None:
        self.sessions.streams.closed(posted.log, worth_keeping=posted.begun)

    async def _deliver(
        self, http: HttpRequest, posted: Posted, found: InSession | None, *, batch: bool
    ) -> Reply:
        form = Form(
            batch=batch,
            ids=found is not None,
            primed=found is not None and found.client.version >= PRIMED_SINCE,
        )
        return await deliver(http.events(self.limits.stall_s), posted, form)

    def _read(self, http: HttpRequest, body: object) -> Message | Answer:
        """Return a message of a batch, or the answer to what is none."""
        try:
            message = envelope.read_message(body)
            if message.method == "initialize":
                raise invalid_request("initialize cannot be part of a batch.")
        except Refused as refusal:
            self._record(http, refusal)
            return refused(envelope.salvage_id(body), refusal)
        return message

    def _record(self, http: HttpRequest, refusal: Refused) -> None:
        record_unread(self.sessions.core.recorder, http.headers.get("traceparent"), refusal.code)

    def _request(
        self, http: HttpRequest, message: Message, view: View, channel: Channel = _UNHEARD
    ) -> Request:
        received = self.sessions.clock.monotonic()
        return request_of(http, message, channel, view, Era.LEGACY, received)
