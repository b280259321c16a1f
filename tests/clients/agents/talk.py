"""What two agent frameworks' clients see; see tests/interaction/real_clients.py.

Run by an interpreter of its own that has both: `fastmcp:MODE` is the FastMCP client,
`pydantic-ai:MODE` the toolset of Pydantic AI on top of it.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack

from fastmcp import Client
from fastmcp.client.transports import SSETransport
from mcp.shared.exceptions import MCPError
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.mcp import MCPToolset


def client_of(url, mode):
    """Return a client; over the event stream of 2024-11-05 in the mode `sse`."""
    if mode == "sse":
        return Client(SSETransport(url.removesuffix("/mcp") + "/sse"), mode="legacy")
    return Client(url, mode=mode)


class FastMcp:
    """The FastMCP client by itself."""

    def __init__(self, url, mode):
        self.client = self.opened = client_of(url, mode)

    async def tools(self):
        return await self.client.list_tools()

    async def structured(self, name, arguments):
        return (await self.client.call_tool(name, arguments)).structured_content

    async def error(self, name, arguments):
        try:
            result = await self.client.call_tool_mcp(name, arguments)
        except MCPError as error:
            return f"{error.error.code} {error.error.message}"
        return result.content[0].text if result.is_error else ""

    async def resource(self, uri):
        return (await self.client.read_resource(uri))[0].text


class PydanticAi:
    """The toolset that an agent is given."""

    def __init__(self, url, mode):
        self.client = client_of(url, mode)
        self.opened = MCPToolset(self.client, cache_tools=False, cache_resources=False)

    async def tools(self):
        return await self.opened.list_tools()

    async def structured(self, name, arguments):
        return await self.opened.direct_call_tool(name, arguments)

    async def error(self, name, arguments):
        try:
            await self.opened.direct_call_tool(name, arguments)
        except ModelRetry as error:
            return error.message
        return ""

    async def resource(self, uri):
        return await self.opened.read_resource(uri)


async def look(client):
    """List, call, fail, mistype, misname and read."""
    return {
        "version": client.client.protocol_version,
        "tools": [tool.name for tool in await client.tools()],
        "structured": await client.structured("echo", {"text": "hello"}),
        "failed": await client.error("fail", {}),
        "wrong": await client.error("count", {"steps": 0}),
        "refused": await client.error("ecco", {}),
        "resource": await client.resource("sample://fixed"),
    }


async def talk(url, *ways):
    """Look once for each line that is read, with one client for each way."""
    kinds = {"fastmcp": FastMcp, "pydantic-ai": PydanticAi}
    clients = {how: kinds[how.partition(":")[0]](url, how.partition(":")[2]) for how in ways}
    async with AsyncExitStack() as stack:
        for client in clients.values():
            await stack.enter_async_context(client.opened)
        while await asyncio.to_thread(sys.stdin.readline):
            seen = {how: await look(client) for how, client in clients.items()}
            sys.stdout.write(json.dumps(seen) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(talk(*sys.argv[1:]))
