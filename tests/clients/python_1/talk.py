"""What the first generation of the Python SDK reads from a server; prints one JSON object.

Run by an interpreter of its own that has `mcp` 1.x, with the URL as its argument.
"""

import asyncio
import json
import sys

from mcp import ClientSession, McpError
from mcp.client.streamable_http import (
    streamablehttp_client,
)


async def talk(url: str) -> dict[str, object]:
    """Open, list, call, fail and misname."""
    async with streamablehttp_client(url) as (read, write, _), ClientSession(read, write) as client:
        opened = await client.initialize()
        tools = await client.list_tools()
        called = await client.call_tool("echo", {"text": "hello"})
        failed = await client.call_tool("fail", {})
        wrong = await client.call_tool("echo", {"text": 7})
        try:
            await client.call_tool("ecco", {})
            refused = None
        except McpError as error:
            refused = {"code": error.error.code, "message": error.error.message}
        return {
            "version": opened.protocolVersion,
            "tools": [tool.name for tool in tools.tools],
            "structured": called.structuredContent,
            "failed": {"isError": failed.isError, "text": failed.content[0].text},
            "wrong": {"isError": wrong.isError, "text": wrong.content[0].text},
            "refused": refused,
        }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(talk(sys.argv[1]))))
