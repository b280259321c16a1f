"""`/api/servers/{id}/pins` on HTTP: what has changed of a server's tools, and its approval."""

from dataclasses import dataclass
from http import HTTPStatus

import orjson
from aiohttp import web

from trunkline_router.adapters.pin_book import NothingToApprove, PinBook
from trunkline_router.adapters.remembered import StoreSilent
from trunkline_router.edges.json_pages import json_body, method_not_allowed
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.identity.scopes import ADMIN, require
from trunkline_router.model import Limits
from trunkline_router.ports import TokenVerifier
from trunkline_router.wire.body import read_small_body


@dataclass(frozen=True, slots=True, kw_only=True)
class PinsPage:
    """Shows the differences to whoever may observe, and takes approvals from an admin."""

    book: PinBook
    tokens: TokenVerifier
    limits: Limits

    async def handle(self, http: web.BaseRequest, server: str) -> web.Response:
        if http.method in {"GET", "HEAD"}:
            return json_body(self.book.changes(server))
        if http.method != "POST":
            message = "Pins are read by GET and approved by POST."
            return method_not_allowed(message, "GET", "HEAD", "POST")
        require(await self.tokens.verify(bearer_of(http.headers)), ADMIN)
        return await self._approved(http, server)

    async def _approved(self, http: web.BaseRequest, server: str) -> web.Response:
        raw = await read_small_body(http, self.limits)
        tools = _approved_tools(raw)
        if tools is None:
            message = 'Send {"approve": ["tool", …]}, or {"approve": []} for all that wait.'
            return json_body({"error": message}, status=HTTPStatus.BAD_REQUEST)
        try:
            return json_body({"server": server, "approved": await self.book.approve(server, tools)})
        except NothingToApprove as nothing:
            return json_body({"error": str(nothing)}, status=HTTPStatus.CONFLICT)
        except StoreSilent:
            message = "The store that keeps the pins does not answer; try again later."
            return json_body({"error": message}, status=HTTPStatus.SERVICE_UNAVAILABLE)


def _approved_tools(raw: bytes) -> list[str] | None:
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    tools = body.get("approve") if isinstance(body, dict) else None
    sound = isinstance(tools, list) and all(isinstance(tool, str) for tool in tools)
    return tools if sound else None
