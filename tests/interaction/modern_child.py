"""The SDK's own server on standard streams, which speaks 2026-07-28; run as a program."""

import asyncio
import os
from pathlib import Path

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("modern child", instructions="A child of today.")


@server.tool()
async def pid() -> int:
    """Say which process answers."""
    return os.getpid()


@server.tool()
async def steps(count: int, ctx: Context) -> str:
    """Report progress."""
    for step in range(1, count + 1):
        await ctx.report_progress(step, count, f"{count}")
    return f"{count} steps"


@server.tool()
async def hang(begun: str, ended: str) -> str:
    """Wait until cancelled; writes files when it begins and when it ends."""
    Path(begun).write_text("now", encoding="utf-8")  # noqa: ASYNC240 - nobody else waits here
    try:
        await asyncio.Event().wait()
    finally:
        Path(ended).write_text("now", encoding="utf-8")  # noqa: ASYNC240 - nobody else waits here
    return "never"


if __name__ == "__main__":
    server.run("stdio")
