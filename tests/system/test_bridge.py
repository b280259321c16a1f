"""The bridge in its container: it asks the mesh in its callers' names, and nobody by itself."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.interaction.wire import modern, modern_headers
from tests.system.agents import Ask
from tests.system.everyday import HERE, READS, ask
from tests.system.mesh_in_containers import SERVERS, STATELESS, MeshInContainers
from tests.system.sdk_clients import answered, client

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

OTHERS = sorted(SERVERS.keys() - {"bridge"})
CONTAINERS = tuple(service for service in STATELESS if service != "router")
HEAD = "tighten-screws"

_TRY = """
import json, sys, urllib.error, urllib.request

def status(path, headers, body):
    raw = body.encode() if body else None
    request = urllib.request.Request("http://router:8470" + path, data=raw, headers=headers)
    try:
        return urllib.request.urlopen(request, timeout=10).status
    except urllib.error.HTTPError as error:
        return error.code

key = open("/run/secrets/mesh_key").read().strip()
asked = json.loads(sys.argv[1])
bearing = [{}, {"Authorization": f"Bearer {key}"}]
print(json.dumps([
    status(path, {**headers, **more}, body) for path, headers, body in asked for more in bearing
]))
"""
CALL = modern("tools/call", {"name": "is_server_available", "arguments": {"serverName": "jira"}})
ENTRIES: Sequence[tuple[str, Mapping[str, str], str]] = (
    ("/mcp", modern_headers("tools/call", "is_server_available"), CALL.decode()),
    ("/servers/bridge/mcp", modern_headers("tools/call", "is_server_available"), CALL.decode()),
    ("/api/mesh", {}, ""),
    ("/contexts", {"Content-Type": "application/json"}, "{}"),
)


@pytest.mark.requirement("bridge.shipped-calls")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_it_tells_how_every_server_stands(mesh: MeshInContainers, mode: str) -> None:
    """As the router tells it, whom it asks in the caller's name."""
    async with asyncio.timeout(60), client(mesh, mode) as me:
        for server in OTHERS:
            asked = ask("bridge", "is_server_available", serverName=server)
            told, _ = await answered(me, asked)
            assert (told["available"], told["known"]) == (True, True), (server, told)
        states, _ = await answered(me, ask("bridge", "get_circuit_breaker_states"))
    assert states.keys() == SERVERS.keys()


@pytest.mark.requirement("bridge.shipped-calls")
@pytest.mark.parametrize("server", OTHERS)
async def test_it_passes_calls_on_to_every_server(mesh: MeshInContainers, server: str) -> None:
    """And gives the same answer as the server does."""
    read = READS[server]
    wanted = {"server": server, "tool": read.tool, "arguments": dict(read.arguments)}
    passed_on = Ask(server="bridge", tool="call_tool", arguments=wanted)
    async with asyncio.timeout(60), client(mesh) as me:
        directly, _ = await answered(me, read)
        told, _ = await answered(me, passed_on)
    assert told["structuredContent"] == directly
    assert told["breaker"]["state"] == "closed"


@pytest.mark.requirement("bridge.shipped-calls")
async def test_it_tells_all_about_the_work_at_hand(mesh: MeshInContainers) -> None:
    """From the containers of twig, GitHub's servers and Jira, in one call."""
    asked = ask("bridge", "get_work_context", 60, **HERE, branch=HEAD)
    async with asyncio.timeout(60), client(mesh) as me:
        told, _ = await answered(me, asked)
    assert told["pull_request"]["data"]["number"] == 2, told
    assert told["ci"]["available"], told


@pytest.mark.requirement("bridge.shipped-alone")
@pytest.mark.parametrize("service", CONTAINERS)
def test_what_a_container_holds_opens_nothing_at_the_router(
    mesh: MeshInContainers, service: str
) -> None:
    """Neither nothing nor the mesh key: what opens it comes with a call, to the bridge alone."""
    found: Any = mesh.python(service, _TRY, json.dumps(ENTRIES))
    assert found == [401] * len(ENTRIES) * 2
