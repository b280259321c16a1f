"""How long sessions last: those that older clients end, and those at older servers."""

import asyncio

import pytest

from tests.interaction.legacy_wire import legacy_client
from tests.interaction.measuring import by, measured, total
from tests.interaction.mesh import Mesh, routing
from tests.interaction.scripted_older import ScriptedOlder
from tests.interaction.scripted_older import running as running_older
from tests.interaction.test_sse_clients import streaming
from tests.interaction.test_upstream_sessions import RARELY
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import call_modern, text_of
from tests.standing_clock import StandingClock

pytestmark = pytest.mark.anyio

OURS = "mcp_server_session_duration_seconds"
THEIRS = "mcp_client_session_duration_seconds"


@pytest.mark.requirement("seeing.session-durations")
async def test_a_session_that_its_client_ends_is_timed_once() -> None:
    """From its handshake to its DELETE; a second DELETE, and one that goes on, count nothing."""
    clock = StandingClock()
    async with (
        running(Scripted()) as url,
        routing({"a": url}, clock=clock) as mesh,
        legacy_client(mesh.mcp) as client,
        legacy_client(mesh.mcp) as other,
    ):
        await client.initialize(version="2025-06-18")
        await other.initialize()
        clock.advance(45)
        assert await client.delete() == 204
        assert await client.delete() == 404
        seen = await measured(mesh)
    labels = ("mcp_protocol_version", "network_transport", "error_type")
    assert by(seen, f"{OURS}_count", *labels) == {("2025-06-18", "tcp", ""): 1}
    assert total(seen, f"{OURS}_sum") == pytest.approx(45, abs=1)


@pytest.mark.requirement("seeing.session-durations")
async def test_a_session_of_an_event_stream_ends_with_it() -> None:
    """As a client of 2024-11-05 leaves."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        async with streaming(mesh.url):
            pass
        seen = await _ended(mesh, OURS, 1)
    assert seen == {("2024-11-05", ""): 1}


@pytest.mark.requirement("seeing.session-durations")
async def test_a_session_at_an_older_server_is_timed_when_it_is_lost() -> None:
    """The one that the server forgot is over; the one that came after it goes on."""
    server = ScriptedOlder(lost=404)
    async with (
        asyncio.timeout(10),
        running_older(server) as url,
        routing({"older": url}, terms=RARELY) as mesh,
    ):
        assert text_of(await call_modern(mesh.port, "act")) == "ok"
        server.sessions.clear()
        assert text_of(await call_modern(mesh.port, "act")) == "ok"
        seen = await measured(mesh)
    ended = by(seen, f"{THEIRS}_count", "trunkline_server", "network_transport")
    assert ended == {("older", "tcp"): 1}


async def _ended(mesh: Mesh, name: str, count: int) -> dict[tuple[str, ...], float]:
    """Wait until so many sessions have ended; returns their versions and errors."""
    async with asyncio.timeout(5):
        while total(seen := await measured(mesh), f"{name}_count") < count:
            pass
    return by(seen, f"{name}_count", "mcp_protocol_version", "error_type")
