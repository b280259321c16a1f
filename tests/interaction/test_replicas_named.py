"""A host name with several addresses is as many replicas, each asked under that name."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from yarl import URL

from tests.interaction.upstreams import Json, ok
from trunkline_router.adapters.exchange import Exchange
from trunkline_router.adapters.http1.client import Client
from trunkline_router.adapters.links.modern_http import ModernHttp
from trunkline_router.adapters.links.named import AGAIN_S, Named, is_name
from trunkline_router.adapters.links.replicas import Replica
from trunkline_router.link import Link, NeverSent, Post
from trunkline_router.model import Limits, Unheard
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

POST = Post(server="a", number=1, method="tools/call", params={}, channel=Unheard())


@dataclass(kw_only=True)
class Places:
    """One port on several loopback addresses, and the name's addresses as the test says."""

    port: int = 0
    addresses: Sequence[str] = ()
    fails: bool = False
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        if self.fails:
            raise OSError("the resolver is away")
        return self.addresses

    async def serve(self, address: str, stack: AsyncExitStack) -> None:
        async def handle(http: web.Request) -> web.StreamResponse:
            self.asked.append((address, http.headers["Host"]))
            request: Json = await http.json()
            return await ok(http, request)

        app = web.Application()
        app.router.add_post("/mcp", handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.TCPSite(runner, address, self.port).start()
        self.port = runner.addresses[0][1]


@asynccontextmanager
async def named(places: Places) -> AsyncIterator[Named]:
    """Open a link to the name `server.test`."""
    async with AsyncExitStack() as stack, asyncio.timeout(10):
        for address in ("127.0.0.1", "127.0.0.2"):
            await places.serve(address, stack)
        client = await stack.enter_async_context(Client(Limits().connect_s))
        exchange = Exchange(client=client, answer_bytes=10_000)
        url = URL(f"http://server.test:{places.port}/mcp")

        def at(through: Exchange) -> Link:
            return ModernHttp(url=url, exchange=through)

        def pinned(address: str) -> Replica:
            own = exchange.at_address(address)
            return Replica(name=address, link=at(own), client=own.client)

        link = Named(plain=at(exchange), pinned=pinned, clock=FakeClock(), resolve=places.resolve)
        stack.push_async_callback(link.close)
        yield link


@pytest.mark.requirement("gateway.replicas")
async def test_each_address_is_asked_in_turn_under_the_name() -> None:
    """So that the host header and a certificate are those of the name."""
    places = Places(addresses=["127.0.0.1", "127.0.0.2"])
    async with named(places) as link:
        await link.look_up()
        for _ in range(4):
            await link.perform(POST)
        host = f"server.test:{places.port}"
        assert sorted(places.asked) == sorted([("127.0.0.1", host), ("127.0.0.2", host)] * 2)
        assert [one["url"] for one in link.to_json()] == ["127.0.0.1", "127.0.0.2"]


@pytest.mark.requirement("gateway.replicas")
async def test_addresses_come_and_go() -> None:
    """What is left of a name that has one address again is the name itself."""
    places = Places(addresses=["127.0.0.1", "127.0.0.2"])
    async with named(places) as link:
        await link.look_up()
        await link.perform(POST)
        places.addresses = ["127.0.0.2", "127.0.0.3"]
        await link.look_up()
        for _ in range(3):
            await link.perform(POST)
        assert {address for address, _ in places.asked[1:]} == {"127.0.0.2"}
        assert [one["available"] for one in link.to_json()] == [True, False]
        places.addresses = ["127.0.0.2"]
        await link.look_up()
        assert link.to_json() == ()
        with pytest.raises(NeverSent):
            await link.perform(POST)


@pytest.mark.requirement("gateway.replicas")
async def test_a_resolver_that_fails_changes_nothing() -> None:
    """The addresses that were known serve on."""
    places = Places(addresses=["127.0.0.1", "127.0.0.2"])
    async with named(places) as link:
        await link.look_up()
        places.fails = True
        await link.look_up()
        assert len(link.to_json()) == 2
        await link.perform(POST)


def test_an_address_and_this_machine_stand_for_themselves() -> None:
    """They are not looked up, nor asked for twice by both families; a name is, every 30 s."""
    assert AGAIN_S == 30
    for url in ("http://127.0.0.1:1/mcp", "http://[::1]:1/mcp", "http://localhost:1/mcp"):
        assert not is_name(URL(url))
    assert is_name(URL("http://comment:8480/mcp"))
