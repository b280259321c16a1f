"""The MCP endpoint on HTTP: bytes in, one message at a time to its era, bytes out."""

from contextlib import suppress
from dataclasses import dataclass

from aiohttp import web

from trunkline_router.context import InvalidContext
from trunkline_router.conversation import Dialect, converse
from trunkline_router.core import Core
from trunkline_router.edges.request_reading import check_headers, request_of, view_of
from trunkline_router.edges.session import SessionEndpoint
from trunkline_router.gates import seen_by
from trunkline_router.model import Era, Limits
from trunkline_router.tracing import record_unread
from trunkline_router.view import View
from trunkline_router.wire import envelope
from trunkline_router.wire.answer import refused
from trunkline_router.wire.client_channel import ClientChannel
from trunkline_router.wire.envelope import Message
from trunkline_router.wire.http_request import HttpRequest, Reply
from trunkline_router.wire.refusal import Refused, invalid_request
from trunkline_shared.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """`/mcp` and `/servers/{id}/mcp`."""

    core: Core
    modern: Dialect
    legacy: SessionEndpoint
    clock: Clock
    limits: Limits

    async def post(self, http: HttpRequest, scope: str | None) -> Reply:
        """Answer one HTTP request; `scope` is the one server of the path."""
        body: object = None
        try:
            body = envelope.decode(await http.body(self.limits))
            view = view_of(http.query, scope)
            if isinstance(body, list):
                return await self.legacy.batch(http, body, view)
            message = envelope.read_message(body)
            era = envelope.era_of(message, http.headers)
            if era is Era.MODERN:
                http.fact("form", check_headers)
        except Refused as refusal:
            record_unread(self.core.recorder, http.headers.get("traceparent"), refusal.code)
            return refused(envelope.salvage_id(body), refusal)
        if era is Era.LEGACY:
            return await self.legacy.post(http, message, view)
        if message.id is None:
            return _accepted(message)
        channel = ClientChannel(http, streams=True, stall_s=self.limits.stall_s)
        received = self.clock.monotonic()
        request = request_of(http, message, channel, _seen(http, view), Era.MODERN, received)
        return await channel.finish(await converse(self.core, self.modern, request, http.headers))


def _seen(http: HttpRequest, view: View) -> View:
    """Return what its caller sees of a view, where that is known already; no copy is made later."""
    # A contradiction is the conversation's to refuse.
    with suppress(InvalidContext):
        return view if http.caller is None else seen_by(http.caller, view)
    return view


def _accepted(message: Message) -> Reply:
    if message.is_response:
        return refused(None, invalid_request("No request of ours awaits this."))
    return web.Response(status=202)
