"""What the second generation of the Python SDK sees; see tests/interaction/real_clients.py.

Its ways are the modes of its client, and `sse`.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack

from mcp import Client
from mcp.client.sse import sse_client
from mcp.shared.exceptions import MCPError


def client_for(url, how):
    """Return a client that is not connected yet."""
    if how == "sse":
        return Client(sse_client(url.removesuffix("/mcp") + "/sse"), mode="legacy")
    return Client(url, mode=how)


async def look(client):
    """List, call, fail, mistype, misname and read; nothing from the client's own cache."""
    tools = await client.list_tools(cache_mode="bypass")
    called = await client.call_tool("echo", {"text": "hello"})
    failed = await client.call_tool("fail", {})
    wrong = await client.call_tool("count", {"steps": 0})
    read = await client.read_resource("sample://fixed", cache_mode="bypass")
    try:
        await client.call_tool("ecco", {})
        refused = ""
    except MCPError as error:
        refused = f"{error.error.code} {error.error.message}"
    return {
        "version": client.protocol_version,
        "tools": [tool.name for tool in tools.tools],
        "structured": called.structured_content,
        "failed": failed.content[0].text if failed.is_error else "",
        "wrong": wrong.content[0].text if wrong.is_error else "",
        "refused": refused,
        "resource": read.contents[0].text,
    }


async def talk(url, *ways):
    """Look once for each line that is read, with one client for each way."""
    async with AsyncExitStack() as stack:
        clients = {how: await stack.enter_async_context(client_for(url, how)) for how in ways}
        while await asyncio.to_thread(sys.stdin.readline):
            seen = {how: await look(clients[how]) for how in ways}
            sys.stdout.write(json.dumps(seen) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(talk(*sys.argv[1:]))
