"""The HTTP headers that mirror a JSON-RPC message, in both eras of the protocol."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
    find_invalid_x_mcp_header,
    mcp_param_headers,
    x_mcp_header_map,
)
from mcp_types import PROTOCOL_VERSION_META_KEY

SESSION_HEADER = "mcp-session-id"

Message = Mapping[str, Any]

_ALWAYS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@dataclass(slots=True)
class RequestHeaders:
    """Headers for each message, and what answers teach about the next ones.

    A modern message carries its version itself. A legacy client's version and session come from
    the answer to `initialize`; a tool's `x-mcp-header` annotations from `tools/list`.
    """

    _legacy: dict[str, str] = field(default_factory=dict)
    _mirrored: dict[str, dict[tuple[str, ...], str]] = field(default_factory=dict)

    @property
    def in_session(self) -> bool:
        """Whether a legacy client is being served."""
        return bool(self._legacy)

    def of(self, message: Message) -> dict[str, str]:
        """Return the headers of one message."""
        params = _object(message.get("params"))
        version = _object(params.get("_meta")).get(PROTOCOL_VERSION_META_KEY)
        if not isinstance(version, str):
            return _ALWAYS | ({} if message.get("method") == "initialize" else self._legacy)
        method = str(message.get("method", ""))
        headers = _ALWAYS | {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: method}
        name = params.get(NAME_BEARING_METHODS.get(method, ""))
        if isinstance(name, str):
            headers[MCP_NAME_HEADER] = encode_header_value(name)
            arguments = _object(params.get("arguments"))
            headers |= mcp_param_headers(self._mirrored.get(name, {}), arguments)
        return headers

    def learn(self, request: Message, response: Message, headers: Mapping[str, str]) -> None:
        """Note what the answer to `request` says about later messages."""
        result = _object(response.get("result"))
        method = request.get("method")
        if method == "initialize":
            self._legacy = _session(result, headers)
        elif method == "tools/list":
            for tool in result.get("tools", []):
                self._learn_tool(tool)

    def _learn_tool(self, tool: Message) -> None:
        schema = tool.get("inputSchema")
        if find_invalid_x_mcp_header(schema) is None and (mirrored := x_mcp_header_map(schema)):
            self._mirrored[str(tool.get("name"))] = mirrored


def _session(result: Message, headers: Mapping[str, str]) -> dict[str, str]:
    version, session = result.get("protocolVersion"), headers.get(SESSION_HEADER)
    known = {MCP_PROTOCOL_VERSION_HEADER: version, SESSION_HEADER: session}
    return {name: value for name, value in known.items() if isinstance(value, str)}


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
