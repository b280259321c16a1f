"""The running router as a short-lived command sees it: `/status` and MCP 2026-07-28.

The standard library's HTTP client: a command makes a handful of requests, one after another, and
importing aiohttp takes longer than all of them.
"""

import base64
import http.client
import json
import socket
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Self
from urllib.parse import quote, urlsplit

from trunkline_cli.environment import API_KEY, RouterAddress
from trunkline_cli.failure import UNREACHABLE, USAGE, CommandFailed
from trunkline_cli.refusal_text import advice_of, is_told, reason_of, servers_of
from trunkline_cli.router_answers import Json, events_of, json_object, messages_of

PROTOCOL_VERSION = "2026-07-28"
CONNECT_TIMEOUT_S = 5
CALL_TIMEOUT_S = 600

_META = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL_VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "trunkline-cli", "version": "1"},
}

_TOLD = frozenset({http.client.NOT_FOUND, http.client.CONFLICT})
"""What a page says of what it is asked for, rather than of the request."""
_NOT_LET_IN = frozenset({http.client.UNAUTHORIZED, http.client.FORBIDDEN})

OnNotification = Callable[[Json], None]


class RpcFailure(CommandFailed):
    """The router answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotLetIn(CommandFailed):
    """The router wants a key, or another one than was shown."""

    def __init__(self, status: int, url: str, body: bytes) -> None:
        super().__init__(
            f"the router on {url} does not let this in: {reason_of(body)} "
            f"Set {API_KEY} (or {API_KEY}_FILE) to a key that may do this; "
            "`trunkline key create` makes one."
        )
        self.status = status


class RouterClient:
    """One connection to the router, for the length of a `with` block."""

    def __init__(self, address: RouterAddress) -> None:
        parts = urlsplit(address.url)
        connect = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        self._address = address
        self._prefix = parts.path.rstrip("/")
        self._connection = connect(parts.hostname or "", parts.port, timeout=CONNECT_TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._connection.close()

    def get(self, path: str) -> Json:
        """Return the JSON object at `path` of the router.

        Raises CommandFailed.
        """
        response = self._send("GET", path, None, {"Accept": "application/json"})
        body = response.read()
        if response.status >= http.client.BAD_REQUEST:
            raise self._refused(path, response.status, body)
        return json_object(body, path)

    def post(self, path: str, body: Mapping[str, object]) -> Json:
        """Send a JSON object, and return the one that comes back. Raises CommandFailed."""
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        response = self._send("POST", path, json.dumps(body).encode(), headers)
        told = response.read()
        if response.status == http.client.CONFLICT:
            raise CommandFailed(reason_of(told))
        if response.status >= http.client.BAD_REQUEST:
            raise self._refused(path, response.status, told)
        return json_object(told, path)

    def events(self, path: str) -> Iterator[tuple[str, Json]]:
        """Return the events of a stream that has begun, with their kinds, to its end.

        Raises CommandFailed, also in the middle of it.
        """
        response = self._send("GET", path, None, {"Accept": "text/event-stream"})
        if response.status >= http.client.BAD_REQUEST:
            raise self._refused(path, response.status, response.read())
        return self._read(path, response)

    def _read(self, path: str, response: http.client.HTTPResponse) -> Iterator[tuple[str, Json]]:
        try:
            for kind, data in events_of(response):
                yield kind, json_object(data, path)
        except (OSError, http.client.HTTPException) as error:
            raise CommandFailed(
                f"the router on {self._address.url} has gone ({_reason(error)})", UNREACHABLE
            ) from None

    def servers(self) -> list[str]:
        """Return the ids of the servers whose tools may be called. Raises CommandFailed."""
        # What has no such name says which names there are, for whoever asks.
        path = "/servers/-/mcp"
        response = self._send("GET", path, None, {"Accept": "application/json"})
        body = response.read()
        named = servers_of(body)
        if named is None:
            raise self._refused(path, response.status, body)
        return named

    def request(
        self,
        method: str,
        params: Mapping[str, object],
        *,
        server: str | None = None,
        on_notification: OnNotification | None = None,
    ) -> Json:
        """Return the result of one MCP request, to one server or to the whole mesh.

        Raises RpcFailure, CommandFailed.
        """
        path = "/mcp" if server is None else f"/servers/{quote(server, safe='')}/mcp"
        meta = _META | ({"progressToken": 1} if on_notification else {})
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": PROTOCOL_VERSION,
            "Mcp-Method": method,
        }
        if "name" in params:
            headers["Mcp-Name"] = _header_value(str(params["name"]))
        response = self._send("POST", path, json.dumps(body).encode(), headers)
        if response.status in _NOT_LET_IN:
            raise self._refused(path, response.status, response.read())
        for message in messages_of(response):
            if "method" not in message:
                return self._result(path, response.status, message)
            if on_notification:
                on_notification(message)
        raise self._refused(path, response.status, b"")

    def all_pages(self, method: str, key: str, *, server: str | None = None) -> list[Json]:
        """Return every entry of a list method, following its cursors."""
        entries: list[Json] = []
        cursor: dict[str, object] = {}
        while True:
            page = self.request(method, cursor, server=server)
            entries += page.get(key, [])
            if page.get("nextCursor") is None:
                return entries
            cursor = {"cursor": page["nextCursor"]}

    def _send(
        self, verb: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        try:
            if self._connection.sock is None:
                self._connection.connect()
                self._patient()
            self._connection.request(verb, self._prefix + path, body, self._opened(headers))
            return self._connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise CommandFailed(
                f"no router on {self._address.url}: start one with make run ({_reason(error)})",
                UNREACHABLE,
            ) from None

    def _opened(self, headers: Mapping[str, str]) -> dict[str, str]:
        key = self._address.key
        return dict(headers) | ({"Authorization": f"Bearer {key}"} if key else {})

    def _patient(self) -> None:
        """Bound connecting tightly and a tool's answer loosely."""
        connected: socket.socket | None = self._connection.sock
        if connected is not None:
            connected.settimeout(CALL_TIMEOUT_S)

    def _result(self, path: str, status: int, message: Json) -> Json:
        error = message.get("error")
        if isinstance(error, dict):
            raise RpcFailure(error.get("code", 0), str(error.get("message", "no message")))
        result = message.get("result")
        if not isinstance(result, dict):
            raise self._refused(path, status, json.dumps(message).encode())
        return result

    def _refused(self, path: str, status: int, body: bytes) -> CommandFailed:
        if status in _NOT_LET_IN:
            return NotLetIn(status, self._address.url, body)
        if status == http.client.BAD_REQUEST and (advice := advice_of(body)):
            return CommandFailed(advice, USAGE)
        if status == http.client.NOT_FOUND and servers_of(body) is not None:
            return CommandFailed(reason_of(body))
        if status in _TOLD and is_told(body):
            return CommandFailed(reason_of(body))
        shown = body[:200].decode(errors="replace").strip() or "an empty body"
        return CommandFailed(
            f"{self._address.url}{path} answered HTTP {status}: {shown}. "
            "Is this the address of a trunkline router?"
        )


def _header_value(text: str) -> str:
    """Return a header's value as the 2026-07-28 transport encodes it.

    Plain where it is visible ASCII, else Base64 in the `=?base64?…?=` wrapper.
    """
    wrapped = text.startswith("=?base64?") and text.endswith("?=")
    if text.isascii() and text.isprintable() and text == text.strip() and not wrapped:
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
