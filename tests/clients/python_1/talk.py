"""What the first generation of the Python SDK sees; see tests/interaction/real_clients.py.

Run by an interpreter of its own that has `mcp` 1.x; its ways are `http` and `sse`.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack, asynccontextmanager

from mcp import ClientSession, McpError
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client


@asynccontextmanager
async def connected(url, how):
    """Open a session and keep it."""
    place = url if how == "http" else url.removesuffix("/mcp") + "/sse"
    transport = {"http": streamable_http_client, "sse": sse_client}[how]
    async with transport(place) as (read, write, *_), ClientSession(read, write) as client:
        opened = await client.initialize()
        yield client, opened.protocolVersion


async def look(client, version):
    """List, call, fail, mistype, misname and read."""
    tools = await client.list_tools()
    called = await client.call_tool("echo", {"text": "hello"})
    failed = await client.call_tool("fail", {})
    wrong = await client.call_tool("count", {"steps": 0})
    read = await client.read_resource("sample://fixed")
    try:
        await client.call_tool("ecco", {})
        refused = ""
    except McpError as error:
        refused = f"{error.error.code} {error.error.message}"
    return {
        "version": version,
        "tools": [tool.name for tool in tools.tools],
        "structured": called.structuredContent,
        "failed": failed.content[0].text if failed.isError else "",
        "wrong": wrong.content[0].text if wrong.isError else "",
        "refused": refused,
        "resource": read.contents[0].text,
    }


async def talk(url, *ways):
    """Look once for each line that is read, with one client for each way."""
    async with AsyncExitStack() as stack:
        clients = {how: await stack.enter_async_context(connected(url, how)) for how in ways}
        while await asyncio.to_thread(sys.stdin.readline):
            seen = {how: await look(*clients[how]) for how in ways}
            sys.stdout.write(json.dumps(seen) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(talk(*sys.argv[1:]))
