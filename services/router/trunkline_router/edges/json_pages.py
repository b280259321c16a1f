"""JSON answers of the pages beside MCP, and how they refuse."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

import orjson
from aiohttp import web

from trunkline_router.wire.refusal import nearest_to

_HEADERS: Mapping[str, str] = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
}


def json_body(body: object, status: int = 200) -> web.Response:
    """Return any value as JSON."""
    return json_text(orjson.dumps(body), status)


def json_text(body: bytes, status: int = 200) -> web.Response:
    """Return what is JSON already."""
    return web.Response(body=body, status=status, headers=_HEADERS)


def not_found(message: str) -> web.Response:
    """Say that there is nothing, and where to look."""
    return json_body({"error": message}, status=HTTPStatus.NOT_FOUND)


def no_server(server: str, known: Sequence[str]) -> str:
    """Say that a server is not there, and name the nearest of those that are."""
    nearest = nearest_to(server, known)
    asked = f" Did you mean {nearest!r}?" if nearest else ""
    return f"There is no server {server[:100]!r}.{asked} Servers: {', '.join(known) or 'none'}."


def method_not_allowed(message: str, *allowed: str) -> web.Response:
    """Say which methods a page takes."""
    response = json_body({"error": message}, status=HTTPStatus.METHOD_NOT_ALLOWED)
    response.headers["Allow"] = ", ".join(allowed)
    return response
