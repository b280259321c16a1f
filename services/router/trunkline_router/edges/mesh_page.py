"""`/api/mesh` on HTTP: the servers that a caller may use, and whether calls reach them."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from trunkline_router.catalogue.instructions import servers_of
from trunkline_router.edges.json_pages import json_body, method_not_allowed
from trunkline_router.fleet import Fleet
from trunkline_router.gates import seen_by
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.model import Caller, Json
from trunkline_router.ports import Catalog, TokenVerifier
from trunkline_router.protection.protection import Protection

PATH: Final = "/api/mesh"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshPage:
    """Tells each caller of its own part of the mesh, and of nothing beside it."""

    catalog: Catalog
    fleet: Fleet
    protection: Protection
    tokens: TokenVerifier

    async def handle(self, http: web.BaseRequest) -> web.Response:
        """Answer one HTTP request. Raises Refused for a caller who is not known."""
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{PATH} takes GET only.", "GET", "HEAD")
        return json_body(self.to_json(await self.tokens.verify(bearer_of(http.headers))))

    def to_json(self, caller: Caller) -> Json:
        """Return the caller's servers, in the order of their ids."""
        directory = self.catalog.directory(seen_by(caller))
        tools = Counter(spec.server for spec in directory.tools.values())
        return {
            "servers": {
                server: self._server(server, text) | {"tools": tools[server]}
                for server, text in servers_of(directory).items()
            }
        }

    def _server(self, server: str, description: str) -> Json:
        return {
            "description": description,
            "available": self.protection.is_available(server),
            "admits": self.protection.admits(server),
            "foreign": not self.fleet.owns(server),
            "breaker": self.protection.to_json(server)["breaker"],
        }
