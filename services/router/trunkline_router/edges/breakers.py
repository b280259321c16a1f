"""`/api/servers/{id}/breaker` on HTTP: how a server's breaker stands, and its reset."""

import logging
from dataclasses import dataclass

from aiohttp import web

from trunkline_router.edges.json_pages import json_body, method_not_allowed
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.identity.scopes import ADMIN, require
from trunkline_router.ports import TokenVerifier
from trunkline_router.protection.breakers import Breakers
from trunkline_shared.clock import Clock

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerPage:
    """Shows a breaker to whoever may observe, and closes it for an admin, at every router."""

    breakers: Breakers
    tokens: TokenVerifier
    clock: Clock

    async def handle(self, http: web.BaseRequest, server: str) -> web.Response:
        if http.method == "POST":
            caller = await self.tokens.verify(bearer_of(http.headers))
            require(caller, ADMIN)
            self.breakers.reset(server)
            log.info("the breaker of %s was reset by %s", server, caller.subject)
        elif http.method not in {"GET", "HEAD"}:
            message = "A breaker is read by GET and reset by POST."
            return method_not_allowed(message, "GET", "HEAD", "POST")
        return json_body(self.breakers.of(server).to_json(server, self.clock.monotonic()))
