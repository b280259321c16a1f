"""The door of the HTTP server: who may come in is known before a body is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

import orjson
from aiohttp import web
from opentelemetry.trace import SpanKind

from trunkline_router.attributes import ERROR
from trunkline_router.identity.address_check import AddressCheck
from trunkline_router.identity.bearer import SESSION, bearer_of
from trunkline_router.identity.callers import Callers
from trunkline_router.identity.own_page import must_be_ours
from trunkline_router.identity.scopes import (
    LOGIN,
    LOGOUT,
    PAGES,
    needed_for,
    reaches,
    require,
    route_of,
)
from trunkline_router.model import Caller
from trunkline_router.span import Recorder, Span
from trunkline_router.tracing import parse_traceparent
from trunkline_router.wire import challenge
from trunkline_router.wire.answer import refused
from trunkline_router.wire.channel import json_response
from trunkline_router.wire.refusal import Refused

Fact = TypeVar("Fact")
_CHALLENGED = frozenset({401, 403})
# A browser's page reads the metadata before it can be known here; there is nothing secret in it.
_ANY_PAGE = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET",
    "Access-Control-Allow-Headers": "*",
    "Cache-Control": "max-age=300",
}


class Asking(Protocol):
    """What a request says of itself, whoever has parsed it."""

    @property
    def method(self) -> str: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    def fact(self, name: str, of: Callable[[Mapping[str, str]], Fact]) -> Fact: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Lets requests in, tells those outside how to come in, and records whom it refused."""

    address: AddressCheck
    callers: Callers
    recorder: Recorder

    async def admit(self, http: Asking, path: str) -> Caller | None:
        """Return who asks; None where anybody may.

        Raises Refused for one who asks for another host or comes from another site's page, who is
        not known, or whose token does not reach `path`.
        """
        scope = needed_for(path)
        try:
            http.fact("address", self.address.check)
            if scope is None:
                return None
            bearer = http.fact("bearer", bearer_of)
            if bearer is not None and bearer.startswith(SESSION):
                must_be_ours(http.method, http.headers, self.callers.base)
            caller = await self.callers.verify(bearer)
            if caller.servers is not None:
                _must_reach(caller.servers, path)
            if not reaches(caller, scope):
                require(caller, scope, self.callers.spelled(scope))
        except Refused as refusal:
            self._record(http, path, refusal)
            raise
        return caller

    def refusal(self, path: str, refusal: Refused) -> web.Response:
        """Return a refusal in the form that a path's clients read."""
        response = json_response(refused(None, refusal))
        if path in PAGES or path in {LOGIN, LOGOUT} or path.startswith("/api/"):
            response.body = orjson.dumps({"error": refusal.message})
            response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    def challenged(self, path: str, response: web.StreamResponse) -> web.StreamResponse:
        """Return a response whose challenge, if it has one, says where the metadata is."""
        if response.status in _CHALLENGED and challenge.HEADER in response.headers:
            told = response.headers[challenge.HEADER]
            parameters = self.callers.parameters(path)
            response.headers[challenge.HEADER] = challenge.extended(told, parameters)
        return response

    def metadata(self, http: web.BaseRequest, path: str) -> web.Response:
        """Answer with the protected-resource metadata; 404 where no issuer is trusted."""
        resource = self.callers.resource
        document = None if resource is None else resource.document(path)
        if document is None:
            return web.json_response({"error": f"There is nothing at {path[:200]}."}, status=404)
        if http.method == "OPTIONS":
            return web.Response(status=204, headers=_ANY_PAGE)
        if http.method not in {"GET", "HEAD"}:
            return web.json_response(
                {"error": "The metadata is read by GET."},
                status=405,
                headers={"Allow": "GET, HEAD, OPTIONS"},
            )
        return web.json_response(document, headers=_ANY_PAGE)

    def _record(self, http: Asking, path: str, refusal: Refused) -> None:
        route = route_of(path)
        name = f"{http.method} {route}" if route else http.method
        given = http.headers.get("traceparent")
        parent = parse_traceparent(given) if given else None
        span = Span(name, SpanKind.SERVER, parent, {}, self.recorder)
        with span:
            span.attributes["http.response.status_code"] = int(refusal.status or 0)
            span.attributes[ERROR] = str(int(refusal.status or 0))


def _must_reach(servers: frozenset[str], path: str) -> None:
    """Raise Refused for a token that was issued for other servers' endpoints."""
    server = (
        path.removeprefix("/servers/").partition("/")[0] if path.startswith("/servers/") else ""
    )
    if server not in servers:
        named = ", ".join(f"/servers/{one}/mcp" for one in sorted(servers))
        raise challenge.invalid_token(f"The access token is for another audience: {named} alone.")
