"""The request as a server gets it: always modern, with the router's own trace and deadline."""

from collections.abc import Mapping
from typing import NamedTuple

import orjson
from mcp.shared.inbound import (
    MCP_PARAM_HEADER_PREFIX,
    MCP_PROTOCOL_VERSION_HEADER,
    mcp_param_headers,
    x_mcp_header_map,
)
from mcp_types.version import LATEST_MODERN_VERSION

from trunkline_router.catalogue.lists import OWN_INFO
from trunkline_router.model import Call, Era, Json, Request
from trunkline_router.wire.refusal import invalid_request
from trunkline_shared import meta

OWN_PREFIX = "dev.trunkline/"
_UNRECORDED = f"00-{1:032x}-{1:016x}-00"
"""W3C Trace Context, section 3.2.2.5: the flag that would say `sampled` is not set."""

CLIENT_INFO: Json = {"name": "trunkline-router", "version": OWN_INFO["version"]}
"""What the router tells a server of itself."""
MODERN_HEADERS: Mapping[str, str] = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    MCP_PROTOCOL_VERSION_HEADER: LATEST_MODERN_VERSION,
}
"""What is said of each request of 2026-07-28; the rest mirrors its body."""


class Told(NamedTuple):
    """What the router tells a server of a call; `left_s` is seconds."""

    traceparent: str
    left_s: float
    delegation: Json | None = None

    def __repr__(self) -> str:
        """Say of which trace, and nothing of the token."""
        return f"Told({self.traceparent})"


def outgoing_params(call: Call, told: Told) -> Json:
    """Return the params of a call: the client's, renamed and with our `_meta`."""
    request = call.request
    sent = _meta(request, told)
    if call.credentials is not None:
        sent[meta.CREDENTIALS] = dict(call.credentials)
    params = request.params | {"_meta": sent}
    if call.arguments is not None:
        params["arguments"] = call.arguments
    if request.method == "completion/complete":
        ref = params["ref"]
        if isinstance(ref, dict) and "name" in ref:
            params["ref"] = ref | {"name": call.name}
    elif request.method != "resources/read":
        params["name"] = call.name
    return params


def encode(number: int, method: str, params: Json) -> bytes:
    """Return a JSON-RPC request. Raises Refused when its params are nested too deeply."""
    try:
        return orjson.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    except TypeError:
        raise invalid_request("The params are nested too deeply.") from None


def _meta(request: Request, told: Told) -> Json:
    # A client must not speak in the router's name: our own keys are taken out of what it sent.
    sent = {k: v for k, v in request.meta.items() if not k.startswith(OWN_PREFIX)}
    if request.era is Era.LEGACY:
        # Without a session nobody could answer a server's question: there is no way back.
        sent |= own_meta() | (request.client or {})
    sent["traceparent"] = told.traceparent
    sent[meta.DEADLINE_MS] = max(int(told.left_s * 1000), 1)
    if request.context:
        sent[meta.BIND] = dict(request.context.bindings)
    if told.delegation is not None:
        sent[meta.DELEGATION] = told.delegation
    return sent


def own_meta() -> Json:
    """Return the envelope of a request that the router makes for itself.

    Nobody's call is behind it: it names a trace that is not recorded, or each server would begin
    one of its own for every look that the router takes at it.
    """
    return {
        "traceparent": _UNRECORDED,
        meta.PROTOCOL_VERSION: LATEST_MODERN_VERSION,
        meta.CLIENT_CAPABILITIES: {},
        meta.CLIENT_INFO: CLIENT_INFO,
    }


def param_headers(call: Call) -> dict[str, str]:
    """Return the headers that mirror arguments: a modern client's own, unless they are changed."""
    given, tool = dict(call.request.param_headers), call.tool
    if tool is None or not tool.mirrors:
        return given
    arguments = call.arguments
    if arguments is None:
        if call.request.era is Era.MODERN:
            return given
        # Older clients mirror nothing, and what they send was held against nothing.
        stated = call.request.params.get("arguments")
        arguments = stated if isinstance(stated, dict) else {}
    mirrored = x_mcp_header_map(tool.definition.get("inputSchema"))
    taken = {f"{MCP_PARAM_HEADER_PREFIX}{token}".lower() for token in mirrored.values()}
    kept = {name: value for name, value in given.items() if name.lower() not in taken}
    return kept | mcp_param_headers(mirrored, arguments)
