"""HTTP by hand: exactly the bytes a test means, and the answer as it came."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
LEGACY_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """An HTTP answer read to its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The answer: the body, or the last message of a stream, which a slow call becomes."""
        if not self.headers.get("content-type", "").startswith("text/event-stream"):
            return orjson.loads(self.body)
        frames = [frame.partition(b"data: ")[2] for frame in self.body.split(b"\n\n")]
        return orjson.loads([frame for frame in frames if frame.strip()][-1])

    @property
    def error(self) -> Any:
        return self.json["error"]

    @property
    def result(self) -> Any:
        return self.json["result"]


def modern(method: str, params: Mapping[str, object] | None = None, **changes: object) -> bytes:
    """Return the body of a sound modern request, `changes` on top of its envelope."""
    body: dict[str, object] = {"jsonrpc": "2.0", "id": 1, "method": method}
    body["params"] = {"_meta": META, **(params or {})}
    return orjson.dumps(body | changes)


def legacy(method: str, params: Mapping[str, object] | None = None, **changes: object) -> bytes:
    """Return the body of a legacy request."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params or {})}
    return orjson.dumps(body | changes)


def modern_headers(method: str, name: str | None = None, **changes: str) -> dict[str, str]:
    """Return the headers that mirror a modern body."""
    headers = LEGACY_HEADERS | {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
    if name is not None:
        headers["Mcp-Name"] = name
    return headers | {key.replace("_", "-"): value for key, value in changes.items()}


def head(
    body: bytes, headers: Mapping[str, str], *, port: int, path: str = "/mcp", verb: str = "POST"
) -> bytes:
    """Return a request's first lines."""
    lines = {"Host": f"127.0.0.1:{port}", "Content-Length": str(len(body)), **headers}
    text = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{verb} {path} HTTP/1.1\r\n{text}\r\n".encode()


def failure(reply: Reply) -> Any:
    """Return the payload of a tool error."""
    assert reply.result["isError"] is True, reply.body
    return orjson.loads(text_of(reply))


def text_of(reply: Reply) -> str:
    """Return the text of a tool's first block."""
    return str(reply.result["content"][0]["text"])


async def send(
    port: int,
    raw: bytes,
    *,
    then: bytes = b"",
    timeout: float = 5,  # noqa: ASYNC109 - a bound for the whole exchange
) -> Reply:
    """Send bytes over a connection of their own and read one answer."""
    async with asyncio.timeout(timeout):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(raw + then)
            return await read_reply(reader)
        finally:
            writer.close()


async def read_reply(reader: asyncio.StreamReader) -> Reply:
    """Read one answer with a length, or to the end of its chunks."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
    headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            body += await reader.readexactly(size)
            await reader.readexactly(2)
    else:
        body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Reply(status=int(first.split()[1]), headers=headers, body=body)


async def post(
    port: int, body: bytes, headers: Mapping[str, str] = LEGACY_HEADERS, path: str = "/mcp"
) -> Reply:
    """POST a body."""
    return await send(port, head(body, headers, port=port, path=path) + body)


async def get(port: int, path: str, headers: Mapping[str, str] | None = None) -> Reply:
    """GET a path."""
    return await send(port, head(b"", headers or {}, port=port, path=path, verb="GET"))


async def call_modern(port: int, name: str, **params: object) -> Reply:
    """Call a tool in the modern era."""
    body = modern("tools/call", {"name": name, "arguments": {}, **params})
    return await post(port, body, modern_headers("tools/call", name))


async def call_legacy(port: int, name: str, **params: object) -> Reply:
    """Call a tool in the legacy era."""
    return await post(port, legacy("tools/call", {"name": name, "arguments": {}, **params}))
