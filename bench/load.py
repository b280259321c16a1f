"""The load: one modern `tools/call`, again and again over kept connections, every answer read."""

import asyncio
import sys

import orjson
import uvloop

BODY = orjson.dumps({
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
        "name": "echo",
        "arguments": {"text": "hello"},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        },
    },
})
HEAD = (
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
    "Mcp-Method: tools/call\r\nMcp-Name: echo\r\nContent-Length: {length}\r\n\r\n"
)


async def ask(port: int, times: int) -> None:
    """Send `times` requests over one connection. Raises on any answer that is no success."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    request = HEAD.format(port=port, length=len(BODY)).encode() + BODY
    for _ in range(times):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        answer = await reader.readexactly(length)
        if b'"said' not in answer:
            raise RuntimeError(f"unexpected answer: {answer[:500]!r}")
    writer.close()


async def load(port: int, requests: int, connections: int) -> None:
    async with asyncio.TaskGroup() as tasks:
        for _ in range(connections):
            tasks.create_task(ask(port, requests // connections))


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(load(*(int(argument) for argument in sys.argv[1:])))
