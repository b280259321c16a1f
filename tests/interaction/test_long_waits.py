"""A call of a server of the mesh's own that waits for long: given up, heard of, and kept apart."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from mcp import Client
from mcp.client.client import ConnectMode
from mcp.server.mcpserver import Context

from tests.interaction.legacy_wire import legacy_client
from tests.interaction.mesh import Mesh, Said, routing
from tests.interaction.wire import head, modern, modern_headers
from trunkline_shared.contracts import WRITE, Policy, Writes
from trunkline_shared.server import ToolServer
from trunkline_shared.testing.serving import serving
from trunkline_shared.tool import tool, tools_of

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, kw_only=True)
class Runs:
    """A tool like `query_mcp`: it tells its turns, and runs until it is let go or given up."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    killed: asyncio.Event = field(default_factory=asyncio.Event)

    @tool("Run", WRITE, Policy(waits=True, timeout_s=610, writes=Writes(tags=())))
    async def run(self, context: Context) -> Said:
        """Run for long."""
        await context.report_progress(1, 3, "turn 1")
        self.begun.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.killed.set()
            raise
        await context.report_progress(2, 3, "turn 2")
        return Said(said="done")


@pytest.fixture
def runs() -> Runs:
    """What the tool does."""
    return Runs()


@asynccontextmanager
async def meshed(runs: Runs) -> AsyncIterator[Mesh]:
    """Run a router before the bridge's place."""
    server = ToolServer("bridge", version="1", instructions="Runs.", tools=tools_of(runs))
    async with asyncio.timeout(10), serving(server) as url, routing({"bridge": url}) as mesh:
        yield mesh


async def leaves(mesh: Mesh, runs: Runs) -> None:
    """Ask as a modern client, and close the connection: that is how it cancels."""
    body = modern("tools/call", {"name": "run", "arguments": {}})
    _, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
    writer.write(head(body, modern_headers("tools/call", "run"), port=mesh.port) + body)
    await runs.begun.wait()
    writer.close()


async def says_so(mesh: Mesh, runs: Runs) -> None:
    """Ask in a session, and send `notifications/cancelled`."""
    async with legacy_client(mesh.mcp) as client, asyncio.TaskGroup() as tasks:
        await client.initialize()

        async def asking() -> None:
            async with client.asking("tools/call", {"name": "run"}, id="r") as stream:
                await stream.rest()

        tasks.create_task(asking())
        await runs.begun.wait()
        cancelled = {"requestId": "r", "reason": "enough"}
        assert await client.notify("notifications/cancelled", cancelled) == 202


def by(mode: ConnectMode) -> Callable[[Mesh, Runs], Awaitable[None]]:
    """Return how a client of the SDK gives a call up."""

    async def gives_up(mesh: Mesh, runs: Runs) -> None:
        async with Client(mesh.mcp, mode=mode) as client, asyncio.TaskGroup() as tasks:
            call = tasks.create_task(client.call_tool("run", {}))
            await runs.begun.wait()
            call.cancel()
            await runs.killed.wait()

    return gives_up


@pytest.mark.requirement("bridge.cancelled")
@pytest.mark.parametrize(
    "give_up",
    [leaves, says_so, by("2026-07-28"), by("legacy")],
    ids=["modern leaves", "legacy says so", "modern SDK", "legacy SDK"],
)
async def test_a_run_that_is_given_up_is_cancelled_at_its_server(
    runs: Runs, give_up: Callable[[Mesh, Runs], Awaitable[None]]
) -> None:
    """Whatever the era, so that nothing runs on that nobody waits for."""
    async with meshed(runs) as mesh:
        await give_up(mesh, runs)
        await runs.killed.wait()


@pytest.mark.requirement("bridge.progress")
@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_each_turn_is_heard_while_the_run_goes_on(runs: Runs, mode: ConnectMode) -> None:
    """The first before the run has ended: the client itself lets it go on."""
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))
        runs.go.set()

    async with meshed(runs) as mesh, Client(mesh.mcp, mode=mode) as client:
        answer = await client.call_tool("run", {}, progress_callback=hear)
    assert answer.structured_content == {"said": "done"}
    assert heard == [(1, 3, "turn 1"), (2, 3, "turn 2")]
