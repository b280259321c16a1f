"""The HTTP server: paths to handlers, and a typed answer even to what is no HTTP."""

import asyncio
import logging
from dataclasses import dataclass
from http import HTTPStatus

from aiohttp import StreamReader, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http_parser import RawRequestMessage
from aiohttp.web_protocol import RequestHandler

from trunkline_router.edges.contexts import ContextsEndpoint
from trunkline_router.edges.dashboard import Dashboard
from trunkline_router.edges.http1.connection import IDLE_S, Connection, Serving
from trunkline_router.edges.http_sse import SseEndpoint
from trunkline_router.edges.json_pages import json_body, method_not_allowed, no_server, not_found
from trunkline_router.edges.mcp import Endpoint
from trunkline_router.edges.operator_pages import OperatorPages
from trunkline_router.edges.status import Status
from trunkline_router.edges.webhooks import PREFIX as WEBHOOKS
from trunkline_router.edges.webhooks import WebhooksEndpoint
from trunkline_router.identity.door import Door
from trunkline_router.model import Caller
from trunkline_router.rights import EVERYTHING
from trunkline_router.traffic import Traffic
from trunkline_router.wire.answer import refused
from trunkline_router.wire.channel import json_response
from trunkline_router.wire.http_request import HttpRequest, ParsedRequest, Reply, response_of
from trunkline_router.wire.refusal import Refused, invalid_request
from trunkline_shared.departure import Departure

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Every path of the router; calling it answers a request."""

    door: Door
    endpoint: Endpoint
    streams: SseEndpoint
    contexts: ContextsEndpoint
    operators: OperatorPages
    dashboard: Dashboard
    webhooks: WebhooksEndpoint
    status: Status

    async def __call__(self, http: web.BaseRequest) -> web.StreamResponse:
        path = self.dashboard.path_of(http, http.path)
        if path.startswith("/.well-known/"):
            return self.door.metadata(http, path)
        try:
            caller = await self.door.admit(ParsedRequest(http), path)
            self.contexts.check(http.rel_url.raw_query_string)
            if path == "/mcp":
                response = await self._mcp(http, None, caller)
            elif self.dashboard.have(path):
                response = await self.dashboard.handle(http, path)
            else:
                response = await self._answer(http, path, caller)
        except Refused as refusal:
            response = self.door.refusal(path, refusal)
        return self.door.challenged(path, response)

    async def posted(self, http: HttpRequest, path: str, scope: str | None) -> Reply:
        """Answer a POST to an MCP endpoint."""
        try:
            caller = await self.door.admit(http, path)
            self.contexts.check(http.query)
            if scope is not None:
                absent = self._absent(scope, caller)
                if absent is not None:
                    return absent
            http.caller = caller
            reply = await self.endpoint.post(http, scope)
        except Refused as refusal:
            reply = self.door.refusal(path, refusal)
        if isinstance(reply, web.StreamResponse) or reply.status != HTTPStatus.OK:
            return self.door.challenged(path, response_of(reply))
        return reply

    async def _answer(
        self, http: web.BaseRequest, path: str, caller: Caller | None
    ) -> web.StreamResponse:
        if path == "/contexts":
            return await self.contexts.handle(http)
        if path.startswith("/servers/"):
            return await self._one_server(http, path, caller)
        if path.startswith(WEBHOOKS):
            return await self.webhooks.handle(http, path)
        if self.operators.have(path):
            return await self.operators.handle(http, path)
        if path in {"/sse", "/messages"}:
            return await self._streamed(http, None, path[1:])
        return self._page(http, path)

    async def _one_server(
        self, http: web.BaseRequest, path: str, caller: Caller | None
    ) -> web.StreamResponse:
        server, _, rest = path.removeprefix("/servers/").partition("/")
        if rest not in {"mcp", "sse", "messages"}:
            return not_found(f"There is nothing at {path[:200]}; try /servers/{{id}}/mcp.")
        absent = self._absent(server, caller)
        if absent is not None:
            return absent
        if rest == "mcp":
            return await self._mcp(http, server, caller)
        return await self._streamed(http, server, rest)

    def _absent(self, server: str, caller: Caller | None) -> web.Response | None:
        """Return what a caller hears of a server that is not there; None for one that is."""
        rights = EVERYTHING if caller is None else caller.rights
        fleet = self.status.fleet
        if server in fleet and rights.reach(server):
            return None
        # The same for one that is there for others alone.
        known = [one for one in fleet if rights.reach(one)]
        return json_body({"error": no_server(server, known), "servers": known}, status=404)

    async def _mcp(
        self, http: web.BaseRequest, scope: str | None, caller: Caller | None
    ) -> web.StreamResponse:
        if http.method != "POST":
            return await self.endpoint.legacy.other(http, scope)
        request = ParsedRequest(http)
        request.caller = caller
        return response_of(await self.endpoint.post(request, scope))

    async def _streamed(
        self, http: web.BaseRequest, scope: str | None, kind: str
    ) -> web.StreamResponse:
        if kind == "sse":
            return await self.streams.stream(http, scope)
        return await self.streams.post(http, scope)

    def _page(self, http: web.BaseRequest, path: str) -> web.StreamResponse:
        pages = {
            "/": self.status.front,
            "/healthz": self.status.healthz,
            "/readyz": self.status.readyz,
        }
        if path not in pages:
            return not_found(f"There is nothing at {path[:200]}; MCP is at /mcp.")
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{path} takes GET only.", "GET", "HEAD")
        return pages[path]()


class _TypedErrors(RequestHandler):
    """aiohttp's connection with JSON in place of text for what is no valid HTTP."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - the overridden signature
    ) -> web.StreamResponse:
        if request.writer.output_size > 0:
            raise ConnectionError("the answer had begun when the failure came") from exc
        if status >= 500:  # noqa: PLR2004 - a bug of ours, not a fault of the request
            log.error("unexpected failure in the HTTP server", exc_info=exc)
            refusal = Refused(-32603, "The router failed unexpectedly.", status=500)
        else:
            log.debug("not HTTP: %s", exc)
            refusal = invalid_request(
                "The request is not valid HTTP, or its headers are too large."
            )
        response = json_response(refused(None, refusal))
        response.force_close()
        return response

    def log_exception(self, *args: object, **kw: object) -> None:
        fault = kw.get("exc_info")
        if isinstance(fault, web.RequestPayloadError):
            # The rest of a body that nobody reads any more: the answer has been given.
            log.debug("a body broke off: %s", fault)
        else:
            super().log_exception(*args, **kw)


class HttpServer(web.Server):
    """Connections of the router's own, aiohttp's for what is not plain; each answers in JSON.

    Handlers end with the client. Once the router is to end, each answer is the last one on its
    connection.
    """

    def __init__(self, traffic: Traffic[Paths], departure: Departure) -> None:
        super().__init__(
            traffic,
            request_factory=self._request,
            handler_cancellation=True,
            access_log=None,
            keepalive_timeout=IDLE_S,
        )
        self._traffic = traffic
        self._departure = departure
        self._plain = Serving(
            answer=self._posted, is_ending=lambda: departure.begun, others=self._other
        )

    async def _posted(self, http: HttpRequest, path: str, scope: str | None) -> Reply:
        self._traffic.taken()
        try:
            return await self._traffic.handler.posted(http, path, scope)
        finally:
            self._traffic.done()

    def _request(
        self,
        message: RawRequestMessage,
        payload: StreamReader,
        protocol: RequestHandler,
        writer: AbstractStreamWriter,
        task: "asyncio.Task[None]",
    ) -> web.BaseRequest:
        if self._departure.begun:
            message = message._replace(should_close=True)
        return web.BaseRequest(message, payload, protocol, writer, task, self._loop)

    def _other(self) -> asyncio.Protocol:
        return _TypedErrors(self, loop=self._loop, **self._kwargs)

    def __call__(self) -> Connection:  # type: ignore[override] # what the loop asks for is any protocol
        return Connection(self._plain, self._loop)

    def pre_shutdown(self) -> None:
        super().pre_shutdown()
        for connection in tuple(self._plain.open):
            connection.close()

    async def shutdown(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 - the overridden signature
        ending = [one.shutdown(timeout or 0) for one in tuple(self._plain.open)]
        await asyncio.gather(super().shutdown(timeout), *ending)
