"""From bytes to one JSON-RPC message, and which era it belongs to. No I/O."""

from collections.abc import Mapping
from typing import NamedTuple, TypeGuard

import orjson
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types.jsonrpc import INVALID_PARAMS, PARSE_ERROR
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from trunkline_router.model import Era, Json, RequestId
from trunkline_router.wire.refusal import Refused, invalid_request
from trunkline_shared import meta

BATCH_VERSIONS = frozenset({"2025-03-26", "2024-11-05"})
BATCH_CAP = 50


class Message(NamedTuple):
    """One JSON-RPC object whose envelope is sound.

    `id` is None for a notification; `is_response` is a client's answer to a server's request.
    """

    id: RequestId | None
    method: str
    params: Json
    body: Json
    is_response: bool = False


def decode(raw: bytes) -> object:
    """Parse a body. Raises Refused (-32700) for anything that is no JSON."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Refused(PARSE_ERROR, f"Parse error: {error}.", status=400) from None


def read_message(body: object) -> Message:
    """Check the envelope. Raises Refused (-32600)."""
    if not isinstance(body, dict) or body.get("jsonrpc") != "2.0":
        raise invalid_request('The body must be one JSON-RPC object with "jsonrpc": "2.0".')
    method, request_id = body.get("method"), body.get("id")
    if "id" in body and not _is_id(request_id):
        raise invalid_request("The id must be a string or an integer.")
    if method is None and ("result" in body or "error" in body):
        return Message(id=None, method="", params={}, body=body, is_response=True)
    if not isinstance(method, str):
        raise invalid_request("The method must be a string.")
    params = body.get("params")
    if params is None:
        params = {}
    elif not isinstance(params, dict):
        raise Refused(INVALID_PARAMS, "The params must be an object.", status=400)
    return Message(
        id=request_id if _is_id(request_id) else None,
        method=method,
        params=params,
        body=body,
    )


def salvage_id(body: object) -> RequestId | None:
    """Return the id of a body that is refused, so that its sender recognises the answer."""
    found = body.get("id") if _is_object(body) else None
    return found if _is_id(found) else None


def era_of(message: Message, headers: Mapping[str, str]) -> Era:
    """Tell the eras apart: by the body, and only where that is silent by the header.

    Spec 2026-07-28, "Backward compatibility"; a version that nobody knows is given to the modern
    ladder, which names what is supported.
    """
    given = message.params.get("_meta")
    if _is_object(given) and meta.PROTOCOL_VERSION in given:
        return Era.MODERN
    version = headers.get(MCP_PROTOCOL_VERSION_HEADER)
    if message.method == "initialize" or version is None or version in HANDSHAKE_PROTOCOL_VERSIONS:
        return Era.LEGACY
    return Era.MODERN


def may_batch(headers: Mapping[str, str]) -> bool:
    """Say whether a list of messages is allowed: in 2025-03-26, which sends no version header."""
    version = headers.get(MCP_PROTOCOL_VERSION_HEADER)
    return version is None or version in BATCH_VERSIONS


def _is_object(value: object) -> TypeGuard[Json]:
    return isinstance(value, dict)


def _is_id(value: object) -> TypeGuard[RequestId]:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
