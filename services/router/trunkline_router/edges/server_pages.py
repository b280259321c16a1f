"""`/api/servers/{id}/…` on HTTP: what operators see and change of one server."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from aiohttp import web

from trunkline_router.edges.json_pages import no_server, not_found
from trunkline_router.fleet import Fleet

PREFIX = "/api/servers/"


class ServerPage(Protocol):
    """One page of every server."""

    async def handle(self, http: web.BaseRequest, server: str) -> web.Response:
        """Answer about a server that is there. Raises Refused for a caller who may not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPages:
    """The pages by the last part of their path."""

    fleet: Fleet
    pages: Mapping[str, ServerPage]

    async def handle(self, http: web.BaseRequest, path: str) -> web.Response:
        """Answer one HTTP request below `PREFIX`. Raises Refused."""
        server, _, name = path.removeprefix(PREFIX).rpartition("/")
        page = self.pages.get(name)
        if page is None or not server:
            known = ", ".join(f"{PREFIX}{{id}}/{each}" for each in self.pages)
            return not_found(f"There is nothing at {path[:200]}; try {known}.")
        if server not in self.fleet:
            return not_found(no_server(server, list(self.fleet)))
        return await page.handle(http, server)
