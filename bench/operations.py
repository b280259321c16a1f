"""The requests of the load, as bytes of HTTP, and what stands in every right answer to them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import orjson

MODERN, LEGACY = "2026-07-28", "2025-11-25"
KEY_ID, KEY_SECRET = "bench", "of-no-use-elsewhere"
_INFO = {"name": "bench", "version": "1"}
_META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": _INFO,
}
_HELLO = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": _INFO}
_INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_HEAD = (
    "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    "Accept: application/json, text/event-stream\r\n{own}Content-Length: {length}\r\n\r\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A request; one with `session` is made in a session that an `initialize` has opened.

    `alone` says that neither era's headers go with it: an `initialize` has none.
    """

    method: str
    params: Mapping[str, object]
    expected: str
    name: str = ""
    path: str = "/mcp"
    session: bool = False
    alone: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)

    def to_bytes(self, port: int, session_id: str = "") -> bytes:
        params = dict(self.params)
        own = dict(self.headers)
        if self.session:
            own["MCP-Protocol-Version"] = LEGACY
            own |= {"Mcp-Session-Id": session_id} if session_id else {}
        elif not self.alone:
            params["_meta"] = {**_META, **_mapping(params.get("_meta"))}
            own |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": self.method}
            own |= {"Mcp-Name": self.name} if self.name else {}
        message = {"jsonrpc": "2.0", "id": 1, "method": self.method, "params": params}
        return self._request(message, own, port)

    def greeting(self, port: int) -> bytes:
        """Return the `initialize` that opens its session."""
        message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _HELLO}
        return self._request(message, self.headers, port)

    def greeted(self, port: int, session_id: str) -> bytes:
        """Return the notification that ends the opening."""
        own = {**self.headers, "MCP-Protocol-Version": LEGACY}
        own |= {"Mcp-Session-Id": session_id} if session_id else {}
        return self._request(_INITIALIZED, own, port)

    def _request(self, message: object, headers: Mapping[str, str], port: int) -> bytes:
        body = orjson.dumps(message)
        own = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = _HEAD.format(path=self.path, port=port, own=own, length=len(body))
        return head.encode() + body


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


_CALL = Operation(
    method="tools/call",
    params={"name": "echo", "arguments": {"text": "hello"}},
    expected='"said',
    name="echo",
)
_KEY = {"Authorization": f"Bearer tl_{KEY_ID}_{KEY_SECRET}"}
_KEYED = replace(_CALL, headers=_KEY)
_LARGE = replace(_KEYED, params={"name": "large", "arguments": {}}, expected='"xxxx', name="large")
_SAY = replace(_KEYED, params={"name": "say", "arguments": {"text": "hello"}}, name="say")
_STREAMED = replace(
    _SAY,
    params={"name": "say", "arguments": {}, "_meta": {"progressToken": "p"}},
    expected='"progress":3',
)
_LIST = Operation(method="tools/list", params={}, expected='"inputSchema"')
_LIST_OF_200 = replace(_LIST, expected='"tool_199"', headers=_KEY)
_CACHED, _RELAYED = '"source":"cache"', '"source":"upstream"'
_INITIALIZE = Operation(
    method="initialize", params=_HELLO, expected='"protocolVersion"', alone=True
)

OPERATIONS: Mapping[str, Operation] = {
    "call": _CALL,
    "keyed": _KEYED,
    "hit": replace(_KEYED, expected=_CACHED),
    "keyed-large": _LARGE,
    "hit-large": replace(_LARGE, expected=_CACHED),
    "said": _SAY,
    "relay": replace(_SAY, expected=_RELAYED),
    "relay-large": replace(_LARGE, params={"name": "shout", "arguments": {}}, name="shout"),
    "stream": _STREAMED,
    "list-200": _LIST_OF_200,
    "legacy-hit": replace(_KEYED, expected=_CACHED, session=True),
    "legacy-relay": replace(_SAY, expected=_RELAYED, session=True),
    "legacy-list-200": replace(_LIST_OF_200, session=True),
    "legacy-stream": replace(_STREAMED, session=True),
    "constant": replace(_CALL, path="/constant"),
    "list": _LIST,
    "discover": Operation(method="server/discover", params={}, expected='"supportedVersions"'),
    "initialize": _INITIALIZE,
}
