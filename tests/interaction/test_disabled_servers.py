"""The introduction says how the servers stand at the moment it is asked for, in every era."""

import pytest

from tests.interaction.guarding import Mood, calls, sick
from tests.interaction.keys import ask
from tests.interaction.legacy_wire import legacy_client
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import get, legacy, post
from tests.standing_clock import StandingClock
from trunkline_shared.capabilities import Capability, capability_lines

pytestmark = pytest.mark.anyio

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}}
WELL = "- well: Scripted. For tests. [available]"
ILL = "- ill: Scripted. For tests. [available]"
SHUT = "- ill: Scripted. For tests. [DISABLED (3 failures)]"


async def introduced(mesh: Mesh, path: str = "/mcp") -> list[str]:
    """Return the lines of the introduction, which is the same in both eras."""
    new = (await ask(mesh, None, "server/discover", path=path)).result["instructions"]
    old = await post(mesh.port, legacy("initialize", HELLO), path=path)
    assert old.result["instructions"] == new
    lines: list[str] = new.splitlines()
    return lines


@pytest.mark.requirement("bridge.instructions")
async def test_the_introduction_follows_the_breakers() -> None:
    """Open: disabled, with its failures; closed again: available. The order is always the same."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with (
        running(Scripted(answer=mood)) as ill,
        running(Scripted(tools=[tool("healthy")])) as well,
        routing({"well": well, "ill": ill}, clock=clock) as mesh,
    ):
        assert (await introduced(mesh))[1:] == [ILL, WELL]
        await calls(mesh, "act", 2)
        assert (await introduced(mesh))[1:] == [ILL, WELL]
        await calls(mesh, "act", 1)
        assert (await introduced(mesh))[1:] == [SHUT, WELL]
        alone = await introduced(mesh, "/servers/ill/mcp")
        assert alone == ["Scripted. For tests.", "Not available at the moment: ill."]
        clock.advance(331)
        mood.error = None
        assert await calls(mesh, "act", 1) == ["ok"]
        assert (await introduced(mesh))[1:] == [ILL, WELL]
        assert await introduced(mesh, "/servers/ill/mcp") == ["Scripted. For tests."]


@pytest.mark.requirement("bridge.instructions")
async def test_what_says_that_a_server_is_disabled_is_soon_asked_for_again() -> None:
    """A client that keeps the introduction keeps it for seconds then."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with running(Scripted(answer=mood)) as url, routing({"a": url}, clock=clock) as mesh:
        before = (await ask(mesh, None, "server/discover")).result["ttlMs"]
        await calls(mesh, "act", 3)
        after = (await ask(mesh, None, "server/discover")).result["ttlMs"]
    assert before > 5000 >= after


@pytest.mark.requirement("bridge.instructions")
async def test_a_session_that_is_opened_later_is_told_as_it_is_then() -> None:
    """Its client asks once, at its start."""
    mood = Mood(error=sick())
    async with running(Scripted(answer=mood)) as url, routing({"ill": url}) as mesh:
        async with legacy_client(mesh.mcp) as client:
            await client.initialize()
            for _ in range(3):
                await client.ask("tools/call", {"name": "act", "arguments": {}})
        assert SHUT in await introduced(mesh)


@pytest.mark.requirement("bridge.instructions")
async def test_it_agrees_with_what_the_bridge_is_told() -> None:
    """The bridge's text has the very same lines, made of `/api/mesh`."""
    mood = Mood(error=sick())
    async with (
        running(Scripted(answer=mood)) as ill,
        running(Scripted(tools=[tool("healthy")])) as well,
        routing({"well": well, "ill": ill}) as mesh,
    ):
        await calls(mesh, "act", 3)
        told = (await get(mesh.port, "/api/mesh")).json["servers"]
        lines = capability_lines(
            Capability(
                name=server,
                description=one["description"],
                failures=None if one["available"] else one["breaker"]["consecutiveFailures"],
            )
            for server, one in told.items()
        )
        assert (await introduced(mesh))[1:] == lines
