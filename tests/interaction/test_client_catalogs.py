"""What real clients make of a catalogue: names, the first list, instructions, listening."""

import asyncio
import re
from dataclasses import replace

import orjson
import pytest
from aiohttp import web

from tests.interaction.listen_streams import listening
from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.upstreams import COMPLETE, Json, Scripted, result, running, tool
from tests.interaction.wire import call_modern, modern, modern_headers, post

pytestmark = pytest.mark.anyio

ODD = ["read.page", "read/page", "read-page", "read_page", "ünïcode", "x" * 128, "Read", "Bash"]
ALL_LISTS = dict.fromkeys(("toolsListChanged", "promptsListChanged", "resourcesListChanged"), True)
OFTEN = replace(QUICK, pace=replace(QUICK.pace, refresh_s=0.05))


class Introduced(Scripted):
    """A server with much to say about itself."""

    async def handle(self, http: web.Request) -> web.StreamResponse:
        request = orjson.loads(await http.read())
        if request["method"] == "server/discover":
            text = f"First of all. {'And so on, at length. ' * 100}"
            found: Json = {"capabilities": {"tools": {}}, "supportedVersions": ["2026-07-28"]}
            return result(request, COMPLETE | found | {"instructions": text})
        return await super().handle(http)


class Late(Scripted):
    """A server whose list takes as long as the test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = asyncio.Event()

    async def handle(self, http: web.Request) -> web.StreamResponse:
        await self.ready.wait()
        return await super().handle(http)


async def names_at(mesh: Mesh) -> list[str]:
    answer = await post(mesh.port, modern("tools/list"), modern_headers("tools/list"))
    return [found["name"] for found in answer.result["tools"]]


@pytest.mark.requirement("gateway.habits")
async def test_names_survive_what_any_client_makes_of_them() -> None:
    """Safe, at most 48 characters, unique when `-` is `_`; each reaches its own (clients.md 9)."""
    servers = [Scripted(tools=[tool(name) for name in ODD]) for _ in range(2)]
    async with (
        asyncio.timeout(10),
        running(servers[0]) as one,
        running(servers[1]) as two,
        routing({"one": one, "two": two}) as mesh,
    ):
        names = await names_at(mesh)
        for name in names:
            assert (await call_modern(mesh.port, name)).status == 200
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,48}", name) for name in names)
    assert len({name.replace("-", "_") for name in names}) == len(ODD) * 2
    for server in servers:
        reached = [
            call["params"]["name"] for call in server.calls if isinstance(call["params"], dict)
        ]
        assert sorted(reached) == sorted(ODD)


@pytest.mark.requirement("gateway.habits")
async def test_a_first_list_does_not_wait_and_what_comes_later_is_told() -> None:
    """Codex starts its turn after about a second; the others are told of more (clients.md 11)."""
    late = Late()
    slow = replace(QUICK, pace=replace(QUICK.pace, load_s=60, foreign_budget_s=60))
    async with (
        asyncio.timeout(10),
        running(Scripted(tools=[tool("here")])) as here,
        running(late) as there,
        routing({"a": here, "b": there}, terms=slow, settled=False) as mesh,
    ):
        while await names_at(mesh) != ["here"]:
            pass
        async with listening(mesh, ALL_LISTS) as stream:
            await stream.readuntil(b"acknowledged")
            late.ready.set()
            await stream.readuntil(b"notifications/tools/list_changed")
        assert await names_at(mesh) == ["here", "act", "write"]


@pytest.mark.requirement("gateway.habits")
async def test_instructions_are_short_for_all_and_whole_for_one() -> None:
    """Half of the clients put them before the model, others drop them (clients.md 14)."""
    async with (
        asyncio.timeout(10),
        running(Introduced()) as url,
        routing({f"s{number}": url for number in range(7)}) as mesh,
    ):
        headers = modern_headers("server/discover")
        together = await post(mesh.port, modern("server/discover"), headers)
        alone = await post(mesh.port, modern("server/discover"), headers, "/servers/s3/mcp")
    said = together.result["instructions"]
    assert len(said) < 2000
    assert [f"s{number}" in said for number in range(7)] == [True] * 7
    assert alone.result["instructions"].count("at length") == 100


@pytest.mark.requirement("gateway.habits")
async def test_clients_listen_always_and_leave_at_any_moment() -> None:
    """Two clients listen to all lists; a health check listens for a moment (clients.md 19)."""
    server = Scripted()
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"a": url}, terms=OFTEN) as mesh,
        listening(mesh, ALL_LISTS) as kept,
    ):
        await kept.readuntil(b"acknowledged")
        for _ in range(20):
            async with listening(mesh, ALL_LISTS):
                pass
        server.tools.append(tool("new"))
        await kept.readuntil(b"notifications/tools/list_changed")
        server.prompts.append({"name": "p"})
        await kept.readuntil(b"notifications/prompts/list_changed")
        server.resources.append({"uri": "x://1", "name": "r"})
        await kept.readuntil(b"notifications/resources/list_changed")
