"""The MCP endpoint on HTTP: bytes in, one message at a time to its era, bytes out."""

import itertools
from dataclasses import dataclass
from http.client import UNAUTHORIZED

import orjson
from aiohttp import web
from mcp.shared.inbound import (
    MCP_PARAM_HEADER_PREFIX,
    MCP_PROTOCOL_VERSION_HEADER,
    find_duplicated_routing_header,
)
from mcp_types.jsonrpc import HEADER_MISMATCH

from trunkline_router import envelope
from trunkline_router.answer import Answer, refused, server_failure
from trunkline_router.body import read_body
from trunkline_router.channel import ClientChannel, json_response
from trunkline_router.context import NOTHING
from trunkline_router.conversation import Dialect, converse
from trunkline_router.core import Core
from trunkline_router.envelope import Message
from trunkline_router.model import Era, Json, Limits, Request
from trunkline_router.query_context import context_of_query
from trunkline_router.refusal import Refused, invalid_request
from trunkline_router.view import WHOLE, View
from trunkline_shared import wire
from trunkline_shared.clock import Clock

_PARAM_PREFIX = MCP_PARAM_HEADER_PREFIX.lower()
_MCP = frozenset(map("".join, itertools.product("Mm", "Cc", "Pp", "-")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """`/mcp` and `/servers/{id}/mcp`."""

    core: Core
    modern: Dialect
    legacy: Dialect
    clock: Clock
    limits: Limits

    async def handle(self, http: web.BaseRequest, scope: str | None) -> web.StreamResponse:
        """Answer one HTTP request; `scope` is the one server of the path."""
        if http.method != "POST":
            refusal = invalid_request("This endpoint takes POST only.", status=405)
            response = json_response(refused(None, refusal))
            response.headers["Allow"] = "POST"
            return response
        body: object = None
        try:
            body = envelope.decode(await read_body(http, self.limits))
            view = _view(http, scope)
            if isinstance(body, list):
                return await self._batch(http, body, view)
            message = envelope.read_message(body)
            era = envelope.era_of(message, http.headers)
            if era is Era.MODERN:
                _check_headers(http)
        except Refused as refusal:
            return json_response(refused(envelope.salvage_id(body), refusal))
        if message.id is None:
            return self._accepted(message, era)
        streams = _accepts(http, "text/event-stream")
        channel = ClientChannel(http, streams=streams, stall_s=self.limits.stall_s)
        request = self._request(http, message, channel, view, era)
        return await channel.finish(await self._answer(request, http))

    def _accepted(self, message: Message, era: Era) -> web.StreamResponse:
        if message.is_response and era is Era.MODERN:
            return json_response(refused(None, invalid_request("No request of ours awaits this.")))
        return web.Response(status=202)

    async def _answer(self, request: Request, http: web.BaseRequest) -> Answer:
        dialect = self.modern if request.era is Era.MODERN else self.legacy
        try:
            return await converse(self.core, dialect, request, http.headers)
        except Exception as bug:  # noqa: BLE001 - the router's one last resort
            error = wire.unexpected(bug, doing="answering a request")
            return server_failure(request.id, error)

    def _request(
        self,
        http: web.BaseRequest,
        message: Message,
        channel: ClientChannel,
        view: View,
        era: Era,
    ) -> Request:
        assert message.id is not None
        headers = http.headers
        return Request(
            id=message.id,
            method=message.method,
            params=message.params,
            era=era,
            channel=channel,
            received=self.clock.monotonic(),
            view=view,
            bearer=_bearer(headers.get("Authorization")),
            version=headers.get(MCP_PROTOCOL_VERSION_HEADER),
            traceparent=headers.get("traceparent"),
            param_headers=_param_headers(http),
        )

    async def _batch(
        self, http: web.BaseRequest, bodies: list[object], view: View
    ) -> web.StreamResponse:
        """Answer a batch of 2025-03-26 one by one; it takes no streams. Raises Refused."""
        if not bodies or len(bodies) > envelope.BATCH_CAP or not envelope.may_batch(http.headers):
            raise invalid_request(
                f"A batch of 1 to {envelope.BATCH_CAP} messages is taken in revision 2025-03-26 "
                "only; send one message per request."
            )
        answers = [await self._batched(http, body, view) for body in bodies]
        stranger = next((one for one in answers if one and one.status == UNAUTHORIZED), None)
        if stranger is not None:
            return json_response(stranger)
        kept: list[Json] = [answer.body for answer in answers if answer is not None]
        if not kept:
            return web.Response(status=202)
        return web.Response(body=orjson.dumps(kept), headers={"Content-Type": "application/json"})

    async def _batched(self, http: web.BaseRequest, body: object, view: View) -> Answer | None:
        try:
            message = envelope.read_message(body)
            if message.method == "initialize":
                raise invalid_request("initialize cannot be part of a batch.")
        except Refused as refusal:
            return refused(envelope.salvage_id(body), refusal)
        if message.id is None:
            return None
        channel = ClientChannel(http, streams=False, stall_s=self.limits.stall_s)
        request = self._request(http, message, channel, view, Era.LEGACY)
        return await self._answer(request, http)


def _view(http: web.BaseRequest, scope: str | None) -> View:
    raw = http.rel_url.raw_query_string
    if scope is None and not raw:
        return WHOLE
    return View(scope=scope, context=context_of_query(raw) if raw else NOTHING)


def _check_headers(http: web.BaseRequest) -> None:
    """Raise Refused for headers that a modern request must not have; legacy ones vary."""
    duplicate = find_duplicated_routing_header(_protocol_headers(http))
    if duplicate is not None:
        raise Refused(HEADER_MISMATCH, f"The {duplicate} header came twice.", status=400)
    if not http.headers.get("Content-Type", "").lower().startswith("application/json"):
        raise invalid_request("Content-Type must be application/json.", status=415)
    if not (_accepts(http, "application/json") and _accepts(http, "text/event-stream")):
        raise invalid_request(
            "Accept must include application/json and text/event-stream.", status=406
        )


def _accepts(http: web.BaseRequest, kind: str) -> bool:
    accept = http.headers.get("Accept", "*/*").lower()
    return kind in accept or "*/*" in accept or f"{kind.partition('/')[0]}/*" in accept


def _bearer(authorization: str | None) -> str | None:
    if authorization is None or authorization[:7].lower() != "bearer ":
        return None
    return authorization[7:].strip()


def _param_headers(http: web.BaseRequest) -> tuple[tuple[str, str], ...]:
    return tuple(
        header for header in _protocol_headers(http) if header[0].lower().startswith(_PARAM_PREFIX)
    )


def _protocol_headers(http: web.BaseRequest) -> list[tuple[str, str]]:
    return [header for header in http.headers.items() if header[0][:4] in _MCP]
