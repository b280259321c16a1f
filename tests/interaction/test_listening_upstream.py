"""One listen stream at each server, for the catalogue and for all who listen to its resources."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import orjson
import pytest
from aiohttp import web

from tests.interaction.keys import ask
from tests.interaction.listen_streams import LISTEN, heard, listening
from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.upstreams import COMPLETE, Json, Scripted, event, result, running, tool
from trunkline_router.view import View

pytestmark = pytest.mark.anyio

UPDATED = "notifications/resources/updated"
SELDOM = replace(QUICK, pace=replace(QUICK.pace, refresh_s=60))


@dataclass(kw_only=True)
class Telling(Scripted):
    """A server that keeps listen streams open and tells them what a test says."""

    announces: bool = True
    refuses: bool = False
    opened: list[Json] = field(default_factory=list)
    streams: dict[int, web.StreamResponse] = field(default_factory=dict)
    cut: asyncio.Event = field(default_factory=asyncio.Event)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, http: web.Request) -> web.StreamResponse:
        request = orjson.loads(await http.read())
        if request["method"] == "server/discover":
            capability = {"listChanged": self.announces, "subscribe": True}
            offered = {"tools": capability, "resources": capability}
            return result(request, COMPLETE | {"capabilities": offered})
        if request["method"] == LISTEN:
            return await self._listen(http, request)
        return await super().handle(http)

    async def _listen(self, http: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        self.opened.append(params["notifications"])
        if self.refuses:
            self._stir()
            error = {"code": -32601, "message": "Method not found"}
            return web.json_response(
                {"jsonrpc": "2.0", "id": request["id"], "error": error}, status=404
            )
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(http)
        number = request["id"]
        assert isinstance(number, int)
        told = {"notifications": params["notifications"]}
        await self._frame(response, "notifications/subscriptions/acknowledged", told, number)
        self.streams[number] = response
        self._stir()
        try:
            await self.cut.wait()
        finally:
            del self.streams[number]
            self._stir()
        return response

    async def tell(self, method: str, params: Json | None = None) -> None:
        """Tell every stream."""
        for number, stream in list(self.streams.items()):
            await self._frame(stream, method, params or {}, number)

    async def until(self, streams: int, **asked: object) -> None:
        """Wait until so many streams are open, the last of which was asked for this."""
        while len(self.streams) != streams or any(
            self.opened[-1].get(key) != value for key, value in asked.items()
        ):
            await self.news.wait()

    async def _frame(
        self, stream: web.StreamResponse, method: str, params: Json, number: int
    ) -> None:
        tagged = params | {"_meta": {"io.modelcontextprotocol/subscriptionId": number}}
        await stream.write(event({"jsonrpc": "2.0", "method": method, "params": tagged}))

    def _stir(self) -> None:
        news, self.news = self.news, asyncio.Event()
        news.set()


def telling(**given: Any) -> Telling:
    return Telling(templates=[{"uriTemplate": "x://{id}", "name": "t"}], **given)


@asynccontextmanager
async def acknowledged(mesh: Mesh, asked: Json, id_: object) -> AsyncIterator[asyncio.StreamReader]:
    async with listening(mesh, asked, id_=id_) as reader:
        assert (await heard(reader, id_))["method"].endswith("acknowledged")
        yield reader


@pytest.mark.requirement("gateway.listening")
async def test_a_list_that_changed_upstream_is_read_and_told_at_once() -> None:
    """clients.md 19, gateways.md 3.27: no poll is waited for, in neither direction."""
    server = telling()
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"a": url}, terms=SELDOM) as mesh,
        acknowledged(mesh, {"toolsListChanged": True}, "mine") as reader,
    ):
        await server.until(1)
        server.tools.append(tool("new"))
        await server.tell("notifications/tools/list_changed")
        assert (await heard(reader, "mine"))["method"] == "notifications/tools/list_changed"
        assert "new" in mesh.catalog.directory().tools
    assert server.opened == [{"resourcesListChanged": True, "toolsListChanged": True}]


@pytest.mark.requirement("gateway.listening", "bridge.lists")
async def test_a_storm_of_changes_is_a_breeze_of_listings() -> None:
    """A thousand announcements make a handful of listings."""
    server = telling()
    terms = replace(SELDOM, pace=replace(SELDOM.pace, apart_s=0.2))
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"a": url}, terms=terms) as mesh,
    ):
        await server.until(1)
        before = server.lists
        for _ in range(1000):
            await server.tell("notifications/tools/list_changed")
        server.tools.append(tool("new"))
        await server.tell("notifications/tools/list_changed")
        seen = mesh.catalog.directory()
        while "new" not in seen.tools:
            seen = await mesh.catalog.changed(seen, None)
        assert server.lists - before < 60


@pytest.mark.requirement("gateway.listening")
async def test_five_hundred_listeners_of_a_resource_are_one_stream_upstream() -> None:
    """Each hears of the change under its own id, and their leaving is heard upstream once."""
    server = telling(announces=False)
    async with (
        asyncio.timeout(60),
        running(server) as url,
        routing({"a": url}, terms=SELDOM) as mesh,
    ):
        async with AsyncExitStack() as stack:
            asked: Json = {"resourceSubscriptions": ["x://1"]}
            readers = [
                await stack.enter_async_context(acknowledged(mesh, asked, number))
                for number in range(500)
            ]
            assert server.opened == [asked]
            await server.tell(UPDATED, {"uri": "x://1"})
            for number, reader in enumerate(readers):
                message = await heard(reader, number)
                assert (message["method"], message["params"]["uri"]) == (UPDATED, "x://1")
        await server.until(0)
    assert server.opened == [asked]


@pytest.mark.requirement("gateway.listening")
async def test_what_more_is_wanted_takes_the_place_of_the_stream() -> None:
    """The union of all, on one stream; each hears of its own only."""
    server = telling(announces=False)
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"a": url}, terms=SELDOM) as mesh,
        acknowledged(mesh, {"resourceSubscriptions": ["x://1"]}, "one") as one,
        acknowledged(mesh, {"resourceSubscriptions": ["x://2"]}, "two") as two,
    ):
        await server.until(1, resourceSubscriptions=["x://1", "x://2"])
        await server.tell(UPDATED, {"uri": "x://2"})
        await server.tell(UPDATED, {"uri": "x://1"})
        assert (await heard(one, "one"))["params"]["uri"] == "x://1"
        assert (await heard(two, "two"))["params"]["uri"] == "x://2"


@pytest.mark.requirement("gateway.listening")
async def test_after_a_break_everything_counts_as_changed() -> None:
    """Nothing is replayed: resources are told, and lists are read again."""
    server = telling()
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"a": url}, terms=SELDOM) as mesh,
        acknowledged(
            mesh, {"resourceSubscriptions": ["x://1"], "toolsListChanged": True}, 1
        ) as reader,
    ):
        await server.until(1, resourceSubscriptions=["x://1"])
        server.tools.append(tool("missed"))
        server.cut.set()
        await server.until(0)
        server.cut.clear()
        methods = {(await heard(reader, 1))["method"] for _ in range(2)}
    assert methods == {UPDATED, "notifications/tools/list_changed"}


@pytest.mark.requirement("gateway.listening")
async def test_a_server_that_cannot_listen_is_left_alone_and_polled() -> None:
    """Asked once; its lists are read as often as before, and its listeners do not wait."""
    server = telling(refuses=True)
    often = replace(QUICK, pace=replace(QUICK.pace, refresh_s=0.02))
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"a": url}, terms=often) as mesh,
        acknowledged(mesh, {"toolsListChanged": True}, 1) as reader,
    ):
        while not server.opened:
            await server.news.wait()
        server.tools.append(tool("new"))
        assert (await heard(reader, 1))["method"] == "notifications/tools/list_changed"
    assert len(server.opened) == 1


@pytest.mark.requirement("gateway.listening")
async def test_only_the_truth_makes_a_list_change() -> None:
    """Another order, and a server that goes away and comes back, are no news."""
    server = telling()
    async with (
        asyncio.timeout(10),
        running(server) as url,
        routing({"a": url}, terms=SELDOM) as mesh,
        acknowledged(mesh, {"toolsListChanged": True}, 1) as reader,
    ):
        await server.until(1)
        server.tools.reverse()
        await server.tell("notifications/tools/list_changed")
        while (await ask(mesh, None)).result["tools"][0]["name"] != "write":
            pass
        mesh.catalog.fleet["a"].vitals.unlisted("NETWORK_ERROR")
        mesh.catalog.follow_fleet()
        away = mesh.catalog.directory()
        assert away.missing == {"a"}
        server.tools.append(tool("new"))
        await server.tell("notifications/tools/list_changed")
        assert (await heard(reader, 1))["method"] == "notifications/tools/list_changed"
        assert "new" in mesh.catalog.directory(View()).tools
