"""Finding out whether a server speaks 2026-07-28: one `server/discover`, and what comes of it."""

from http import HTTPStatus

from mcp.shared.inbound import MCP_METHOD_HEADER
from mcp_types.jsonrpc import HEADER_MISMATCH, MISSING_REQUIRED_CLIENT_CAPABILITY
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.incoming import NotMcp, is_final, parse
from trunkline_router.adapters.links.http_endpoint import HttpEndpoint
from trunkline_router.adapters.links.server_sent import events
from trunkline_router.adapters.outgoing import MODERN_HEADERS, own_meta
from trunkline_router.adapters.refusing import failure
from trunkline_router.model import Json

DISCOVER = "server/discover"
_MODERN_ERRORS = frozenset({HEADER_MISMATCH, MISSING_REQUIRED_CLIENT_CAPABILITY})


def discover_params() -> Json:
    """Return the params of the request that only a modern server answers."""
    return {"_meta": own_meta()}


def is_modern(message: Json) -> bool:
    """Say whether an answer to `server/discover` is that of a modern server."""
    result, error = message.get("result"), message.get("error")
    if isinstance(result, dict):
        versions = result.get("supportedVersions")
        return _names_modern(versions) or ("capabilities" in result and versions is None)
    if not isinstance(error, dict):
        return False
    data = error.get("data")
    named = data.get("supported") if isinstance(data, dict) else None
    return error.get("code") in _MODERN_ERRORS or _names_modern(named)


async def speaks_modern(endpoint: HttpEndpoint) -> bool:
    """Ask a server what it speaks.

    Raises NeverSent, NetworkError, AuthError, RateLimited, and UpstreamUnavailable when it is the
    server that fails, which says nothing about its era.
    """
    asked: Json = {"jsonrpc": "2.0", "id": 1, "method": DISCOVER, "params": discover_params()}
    headers = {**MODERN_HEADERS, MCP_METHOD_HEADER: DISCOVER}
    async with endpoint.request("POST", headers, asked) as response:
        if response.status != HTTPStatus.INTERNAL_SERVER_ERROR:
            # Some older servers fail with 500 on a method that they do not know.
            fault = failure(endpoint.server, response.status, response.header("retry-after"))
            if fault is not None:
                raise fault
        try:
            return is_modern(await _answer(endpoint, response))
        except NotMcp:
            return False


async def _answer(endpoint: HttpEndpoint, response: Answer) -> Json:
    if not response.header("content-type").startswith("text/event-stream"):
        return parse(await endpoint.body(response))
    async for event in events(response, endpoint.answer_bytes):
        if event.data and is_final(message := parse(event.data)):
            return message
    raise NotMcp


def _names_modern(versions: object) -> bool:
    named = versions if isinstance(versions, list) else []
    return any(version in named for version in MODERN_PROTOCOL_VERSIONS)
