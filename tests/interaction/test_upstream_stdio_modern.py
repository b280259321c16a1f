"""A child that speaks 2026-07-28: one process for all callers."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client

from tests.interaction.mesh import routing
from tests.interaction.named_pipe import NamedPipe, named_pipe
from tests.interaction.upstreams import Json
from tests.interaction.wire import META, call_modern

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).with_name("modern_child.py")


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[NamedPipe]:
    """Where the child says that it hangs."""
    with named_pipe(tmp_path / "begun") as pipe:
        yield pipe


@pytest.fixture
def ended(tmp_path: Path) -> Iterator[NamedPipe]:
    """Where the child says that it hangs no more."""
    with named_pipe(tmp_path / "ended") as pipe:
        yield pipe


@pytest.mark.requirement("gateway.upstream-stdio")
@pytest.mark.requirement("gateway.upstream-eras")
async def test_a_modern_child_serves_every_caller_from_one_process(
    begun: NamedPipe, ended: NamedPipe
) -> None:
    """Progress finds its call though tokens are equal; a call that is given up is cancelled."""
    configured = {"servers": {"child": {"command": [sys.executable, str(SCRIPT)]}}}
    capabilities: Json = {"io.modelcontextprotocol/clientCapabilities": {"sampling": {}}}
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
                files = {"begun": str(begun.path), "ended": str(ended.path)}
                hanging = tasks.create_task(client.call_tool("hang", files))
                await begun.said()
                hanging.cancel()
            await ended.said()
