"""The load: one request, again and again over kept connections, every answer read.

Prints the median and the longest time of an answer, in milliseconds.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import orjson
import uvloop

_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}
_HEAD = (
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    "Accept: application/json, text/event-stream\r\n{own}Content-Length: {length}\r\n\r\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A request, and what stands in every right answer to it."""

    method: str
    params: Mapping[str, object]
    expected: bytes
    name: str = ""
    modern: bool = True
    bearer: str = ""

    def to_bytes(self, port: int) -> bytes:
        params = {**self.params, "_meta": _META} if self.modern else self.params
        message = {"jsonrpc": "2.0", "id": 1, "method": self.method, "params": params}
        body = orjson.dumps(message)
        own = f"Mcp-Name: {self.name}\r\n" if self.name else ""
        if self.modern:
            own += f"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {self.method}\r\n"
        if self.bearer:
            own += f"Authorization: Bearer {self.bearer}\r\n"
        return _HEAD.format(port=port, own=own, length=len(body)).encode() + body


KEY_ID, KEY_SECRET = "bench", "of-no-use-elsewhere"
_ECHO = Operation(
    method="tools/call",
    params={"name": "echo", "arguments": {"text": "hello"}},
    expected=b'"said',
    name="echo",
    bearer=f"tl_{KEY_ID}_{KEY_SECRET}",
)
_LARGE = replace(_ECHO, params={"name": "large", "arguments": {}}, expected=b'"xxxx', name="large")
_HIT = b'"source":"cache"'

OPERATIONS = {
    "keyed": _ECHO,
    "hit": replace(_ECHO, expected=_HIT),
    "keyed-large": _LARGE,
    "hit-large": replace(_LARGE, expected=_HIT),
    "call": Operation(
        method="tools/call",
        params={"name": "echo", "arguments": {"text": "hello"}},
        expected=b'"said',
        name="echo",
    ),
    "list": Operation(method="tools/list", params={}, expected=b'"inputSchema"'),
    "discover": Operation(method="server/discover", params={}, expected=b'"supportedVersions"'),
    "initialize": Operation(
        method="initialize",
        params={
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
        expected=b'"protocolVersion"',
        modern=False,
    ),
}


async def ask(port: int, operation: Operation, times: int, took: list[float]) -> None:
    """Send `times` requests over one connection. Raises on any answer that is no success."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    request = operation.to_bytes(port)
    for _ in range(times):
        began = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        answer = await reader.readexactly(length)
        took.append(time.perf_counter() - began)
        if operation.expected not in answer:
            raise RuntimeError(f"unexpected answer: {answer[:500]!r}")
    writer.close()


async def load(port: int, requests: int, connections: int, operation: str = "call") -> None:
    took: list[float] = []
    async with asyncio.TaskGroup() as tasks:
        for _ in range(connections):
            times = requests // connections
            tasks.create_task(ask(port, OPERATIONS[operation], times, took))
    print(f"{statistics.median(took) * 1000:.3f} {max(took) * 1000:.3f}")


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        port, requests, connections = map(int, sys.argv[1:4])
        runner.run(load(port, requests, connections, *sys.argv[4:]))
