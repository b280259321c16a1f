"""A child that speaks 2026-07-28: one process for all callers."""

import asyncio
import sys
from pathlib import Path

import pytest
from mcp import Client

from tests.interaction.mesh import routing
from tests.interaction.upstreams import Json
from tests.interaction.wire import META, call_modern

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).with_name("modern_child.py")


async def there(path: Path) -> None:
    """Wait for a file that another process makes."""
    while not await asyncio.to_thread(path.exists):  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.01)


@pytest.mark.requirement("gateway.upstream-stdio")
@pytest.mark.requirement("gateway.upstream-eras")
async def test_a_modern_child_serves_every_caller_from_one_process(tmp_path: Path) -> None:
    """Progress finds its call though tokens are equal; a call that is given up is cancelled."""
    configured = {"servers": {"child": {"command": [sys.executable, str(SCRIPT)]}}}
    capabilities: Json = {"io.modelcontextprotocol/clientCapabilities": {"sampling": {}}}
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    async with (
        asyncio.timeout(40),
        routing({"child": "http://127.0.0.1:9"}, configured=configured) as mesh,
    ):
        known = mesh.catalog.directory()
        while "pid" not in known.tools:
            known = await mesh.catalog.changed(known, None)
        plain = await call_modern(mesh.port, "pid")
        asked = await call_modern(mesh.port, "pid", _meta=META | capabilities)
        assert plain.result["content"] == asked.result["content"]
        async with Client(mesh.mcp, mode="2026-07-28") as client:

            async def counted(count: int) -> list[str | None]:
                heard: list[str | None] = []

                async def progressed(
                    progress: float, total: float | None, message: str | None
                ) -> None:
                    heard.append(message)

                await client.call_tool("steps", {"count": count}, progress_callback=progressed)
                return heard

            async with asyncio.TaskGroup() as tasks:
                counting = {n: tasks.create_task(counted(n)) for n in (1, 2, 3, 4)}
            assert {n: task.result() for n, task in counting.items()} == {
                n: [str(n)] * n for n in (1, 2, 3, 4)
            }
            async with asyncio.TaskGroup() as tasks:
                files = {"begun": str(begun), "ended": str(ended)}
                hanging = tasks.create_task(client.call_tool("hang", files))
                await there(begun)
                hanging.cancel()
            await there(ended)
