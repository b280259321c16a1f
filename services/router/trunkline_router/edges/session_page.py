"""`/api/session` on HTTP: who is asking, and what he may do here."""

from dataclasses import dataclass

from aiohttp import web

from trunkline_router.catalogue.lists import OWN_INFO
from trunkline_router.edges.json_pages import json_body, method_not_allowed
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.identity.callers import Callers

PATH = "/api/session"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPage:
    """Tells a page whose it is, and what it need not offer."""

    callers: Callers

    async def handle(self, http: web.BaseRequest, path: str) -> web.Response:
        """Answer one HTTP request. Raises Refused."""
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{path} takes GET only.", "GET", "HEAD")
        caller = await self.callers.verify(bearer_of(http.headers))
        return json_body({
            "subject": caller.subject,
            "scopes": sorted(caller.scopes),
            "authenticates": self.callers.authenticate,
            "version": OWN_INFO["version"],
            "base": self.callers.base,
        })
