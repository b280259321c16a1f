"""A session over Streamable HTTP before 2026-07-28: a POST for each message, a GET for the rest.

Spec 2025-11-25, "Transports", back to 2025-03-26.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND
from yarl import URL

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.http1.failing import Cut
from trunkline_router.adapters.incoming import NotMcp, parse_all
from trunkline_router.adapters.links.connection import Deliver, HandshakeRefused, SessionLost
from trunkline_router.adapters.links.http_endpoint import HttpEndpoint
from trunkline_router.adapters.links.link_tasks import LinkTasks
from trunkline_router.adapters.links.pending import Pending
from trunkline_router.adapters.links.server_sent import events
from trunkline_router.link import NeverSent, Reply
from trunkline_router.model import Json
from trunkline_shared.clock import Clock
from trunkline_shared.errors import NetworkError, TrunklineError

log = logging.getLogger(__name__)

_SESSION = "Mcp-Session-Id"
_LAST = "Last-Event-ID"
_BOTH = "application/json, text/event-stream"
_STREAM = "text/event-stream"
_AGAIN_S = 1.0
_AGAIN_CAP_S = 30.0
_LIVED_S = 5.0
"""A stream that ends sooner is asked for less and less often."""
_RESUMES = 10_000
_HEARING_S = 0.5


@dataclass(frozen=True, slots=True)
class _Place:
    """How far a stream has been read: what to come back with, and after how many seconds."""

    id: str | None = None
    retry_s: float | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class HttpConnection:
    """One session; the server may mint an id for it, and may tell things on a stream of its own."""

    endpoint: HttpEndpoint
    deliver: Deliver
    lost: Callable[[Exception], None]
    clock: Clock
    background: LinkTasks
    hears: bool = True
    _heard: bool = False
    _id: str | None = None
    _version: str | None = None
    _listening: "asyncio.Task[None] | None" = None
    _opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def carry(self, message: Json, pending: Pending, headers: Mapping[str, str]) -> None:
        sent = {**headers, **self._headers(_BOTH), "Content-Type": "application/json"}
        place = _Place()
        async with self.endpoint.request("POST", sent, message) as response:
            if response.status >= HTTPStatus.MULTIPLE_CHOICES:
                await self._refused(response, pending)
                return
            if pending.method == "initialize":
                self._id = response.header(_SESSION.lower()) or None
            place = await self._read(response, pending, place)
        for _ in range(_RESUMES):
            if pending.ended or place.id is None:
                return
            place = await self._resumed(pending, place)

    async def send(self, message: Json) -> None:
        headers = self._headers(_BOTH) | {"Content-Type": "application/json"}
        async with self.endpoint.request("POST", headers, message) as response:
            await self.endpoint.check(response)

    async def ready(self, version: str) -> None:
        self._version = version
        await self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self._listening = self.background.start(self._listen())
        # Whoever asks now must not miss what the server tells about it.
        opening = self.background.start(self._opened.wait())
        await asyncio.wait({opening}, timeout=_HEARING_S)
        opening.cancel()

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
        if self._id is not None:
            async with self.endpoint.request("DELETE", self._headers("*/*")) as response:
                log.debug("%s ended a session: HTTP %d", self.endpoint.server, response.status)

    def _headers(self, accept: str) -> dict[str, str]:
        headers = {"Accept": accept}
        if self._version is not None:
            headers[MCP_PROTOCOL_VERSION_HEADER] = self._version
        if self._id is not None:
            headers[_SESSION] = self._id
        return headers

    async def _refused(self, response: Answer, pending: Pending) -> None:
        """End a request that was refused. Raises SessionLost, HandshakeRefused, TrunklineError."""
        try:
            await self.endpoint.check(response)
        except HandshakeRefused as refusal:
            if pending.method == "initialize":
                raise
            if self._is_about_session(refusal):
                raise SessionLost from None
            if refusal.error is None:
                raise
            pending.end(Reply(error=refusal.error))

    def _is_about_session(self, refusal: HandshakeRefused) -> bool:
        """Say whether the server wants a new handshake; it has not looked at the request then.

        404 is the rule; some answer 400, with words about the session.
        """
        error = refusal.error
        if refusal.status == HTTPStatus.NOT_FOUND:
            return error.code != METHOD_NOT_FOUND if error else True
        if refusal.status != HTTPStatus.BAD_REQUEST or (error and error.code == INVALID_PARAMS):
            return False
        return error is None or "session" in error.message.lower() or "initializ" in error.message

    async def _read(self, response: Answer, pending: Pending | None, place: _Place) -> _Place:
        kind = response.header("content-type")
        if kind.startswith(_STREAM):
            return await self._read_stream(response, pending, place)
        if not kind.startswith("application/json"):
            raise NotMcp
        self._deliver(await self.endpoint.body(response), pending)
        return place

    def _deliver(self, raw: bytes, pending: Pending | None) -> None:
        for message in parse_all(raw):
            self.deliver(message, pending)

    async def _read_stream(
        self, response: Answer, pending: Pending | None, place: _Place
    ) -> _Place:
        """Deliver what comes until the answer, or until the stream ends; returns how far."""
        try:
            async for event in events(response, self.endpoint.answer_bytes):
                place = _Place(event.id or place.id, event.retry_s or place.retry_s)
                if event.data and event.kind == "message":
                    self._deliver(event.data, pending)
                if pending is not None and pending.ended:
                    response.has_ended()
                    break
        except Cut:
            # A stream with ids is taken up again where it broke off.
            if place.id is None:
                raise
        return place

    async def _resumed(self, pending: Pending, place: _Place) -> _Place:
        """Take a broken stream up again; spec 2025-11-25, "Resumability and Redelivery"."""
        await self.clock.sleep(min(place.retry_s or 0.0, _AGAIN_CAP_S))
        assert place.id is not None
        headers = self._headers(_STREAM) | {_LAST: place.id}
        try:
            async with self.endpoint.request("GET", headers) as response:
                await self.endpoint.check(response)
                place = await self._read(response, pending, place)
        except NeverSent:
            log.info("%s is not there to resume an answer", self.endpoint.server)
        except HandshakeRefused:
            raise NetworkError(
                f"The answer of server {self.endpoint.server!r} broke off and cannot be resumed."
            ) from None
        return replace(place, retry_s=place.retry_s or _AGAIN_S)

    async def _listen(self) -> None:
        """Hear what belongs to no request, for as long as the session lives."""
        place: _Place | None = _Place()
        pause = _AGAIN_S
        while place is not None:
            began = self.clock.monotonic()
            try:
                place = await self._heard_from(place)
            except (NeverSent, NotMcp, TrunklineError) as error:
                name = type(error).__name__
                log.info("the stream of %s broke off: %s", self.endpoint.server, name)
            lived = self.clock.monotonic() - began >= _LIVED_S
            pause = _AGAIN_S if lived else min(pause * 2, _AGAIN_CAP_S)
            if place is not None:
                await self.clock.sleep(max(place.retry_s or 0.0, pause))

    async def _heard_from(self, place: _Place) -> _Place | None:
        """Hear one stream to its end; None when there is no such stream."""
        headers = self._headers(_STREAM) | ({_LAST: place.id} if place.id else {})
        async with self.endpoint.request("GET", headers) as response:
            if not await self._offers_stream(response):
                return None
            self._heard = True
            self._opened.set()
            return await self._read(response, None, place)

    async def _offers_stream(self, response: Answer) -> bool:
        """Say whether to go on: 405 means that there is no such stream, and nothing is wrong."""
        if response.status == HTTPStatus.NOT_FOUND and self._heard:
            self.lost(NetworkError(f"The session at server {self.endpoint.server!r} is over."))
        if response.status < HTTPStatus.MULTIPLE_CHOICES:
            return response.header("content-type").startswith(_STREAM)
        self._opened.set()
        self.hears = False
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise NetworkError(f"Server {self.endpoint.server!r} has no stream at the moment.")
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpConnector:
    """Opens sessions at one URL."""

    endpoint: HttpEndpoint
    clock: Clock
    background: LinkTasks

    @property
    def url(self) -> URL:
        return self.endpoint.url

    async def connect(self, deliver: Deliver, lost: Callable[[Exception], None]) -> HttpConnection:
        return HttpConnection(
            endpoint=self.endpoint,
            deliver=deliver,
            lost=lost,
            clock=self.clock,
            background=self.background,
        )
