"""`/api/servers/{id}/…` on HTTP: what operators see and change of one server."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol

from aiohttp import web

from trunkline_router.edges.status import json_body
from trunkline_router.fleet import Fleet
from trunkline_router.wire.refusal import nearest_to

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
            return _not_found(f"There is nothing at {path[:200]}; try {known}.")
        if server not in self.fleet:
            nearest = nearest_to(server, self.fleet)
            asked = f" Did you mean {nearest!r}?" if nearest else ""
            known = ", ".join(self.fleet)
            return _not_found(f"There is no server {server[:100]!r}.{asked} Servers: {known}.")
        return await page.handle(http, server)


def method_not_allowed(message: str, *allowed: str) -> web.Response:
    """Say which methods a page takes."""
    response = json_body({"error": message}, status=HTTPStatus.METHOD_NOT_ALLOWED)
    response.headers["Allow"] = ", ".join(allowed)
    return response


def _not_found(message: str) -> web.Response:
    return json_body({"error": message}, status=HTTPStatus.NOT_FOUND)
