"""Clients of 2024-11-05: one event stream for all, and a path to post to."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urljoin

import aiohttp
import pytest
from mcp import ClientSession
from mcp.client.context import ClientRequestContext
from mcp.client.sse import sse_client
from mcp_types import ElicitRequestParams, ElicitResult

from tests.interaction.asking_server import META, Asking, form, read
from tests.interaction.keys import bearing, entry, key_of
from tests.interaction.legacy_wire import Answered, LegacyClient, legacy_client
from tests.interaction.mesh import Mesh, routing, sample_server
from tests.interaction.replicas import replicas
from tests.interaction.restarting import restartable
from tests.interaction.upstreams import Json, Scripted, running
from trunkline_router.sessions.event_log import EventLog
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

ADA: Json = {"action": "accept", "content": {"name": "Ada"}}
INITIALIZE: Json = {
    "protocolVersion": "2024-11-05",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "hand", "version": "1"},
}
PING: Json = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@dataclass(frozen=True, kw_only=True)
class Stream:
    """An open event stream and the client that posts to where it says."""

    events: Answered
    client: LegacyClient
    path: str

    async def post(self, method: str, params: Json | None = None, **changes: object) -> int:
        """Send a request and return the status."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        return await self.client.send(message | changes)

    async def ask(self, method: str, params: Json | None = None, **changes: object) -> Json:
        """Send a request and return what the stream says next."""
        assert await self.post(method, params, **changes) == 202
        message = await self.events.message()
        assert isinstance(message, dict)
        return message

    def at(self, mesh: Mesh) -> "Stream":
        """Post to another replica from now on."""
        there = LegacyClient(http=self.client.http, url=mesh.url + self.path)
        return Stream(events=self.events, client=there, path=self.path)


@asynccontextmanager
async def streaming(url: str, path: str = "/sse", **headers: str) -> AsyncIterator[Stream]:
    """Open an event stream."""
    async with legacy_client(url + path, **headers) as client, client.getting() as events:
        assert events.status == 200
        first = await events.event()
        assert first.kind == "endpoint"
        assert first.text.startswith("/")
        posting = LegacyClient(
            http=client.http, url=urljoin(url, first.text), headers=client.headers
        )
        yield Stream(events=events, client=posting, path=first.text)


@pytest.mark.requirement("gateway.event-streams")
@pytest.mark.parametrize("path", ["/sse", "/servers/a/sse"])
async def test_the_sdks_client_lists_and_calls(path: str) -> None:
    """The Python SDK's own SSE client; progress comes before the answer."""
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async with (
        asyncio.timeout(15),
        serving(sample_server()) as url,
        routing({"a": url}) as mesh,
        sse_client(mesh.url + path) as (reading, writing),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        assert "echo" in {tool.name for tool in (await session.list_tools()).tools}
        result = await session.call_tool("count", {"steps": 3}, progress_callback=hear)
        assert result.structured_content == {"said": "3 steps"}
    assert heard == [1, 2, 3]


@pytest.mark.requirement("gateway.event-streams")
async def test_the_sdks_client_is_asked(mesh: Mesh) -> None:
    """What a server asks comes over the same stream (clients.md 13)."""

    async def fill(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        return ElicitResult(action="accept", content={"name": "Ada"})

    async with (
        asyncio.timeout(15),
        sse_client(f"{mesh.url}/sse") as (reading, writing),
        ClientSession(reading, writing, elicitation_callback=fill) as session,
    ):
        await session.initialize()
        assert not (await session.call_tool("ask", {})).is_error


async def test_a_stream_speaks_2024_11_05(mesh: Mesh, asking: Asking) -> None:
    """Answers are messages without ids of events; servers hear who the client is."""
    async with streaming(mesh.url) as stream:
        told = await stream.ask("initialize", INITIALIZE)
        result = told["result"]
        assert isinstance(result, dict)
        assert result["protocolVersion"] == "2024-11-05"
        assert await stream.client.notify("notifications/initialized") == 202
        assert read(await stream.ask("tools/call", {"name": "say", "arguments": {"n": 1}})) == {
            "n": 1
        }
        assert await stream.post("ping", id="p") == 202
        pong = await stream.events.event()
    assert (pong.id, pong.data) == (None, {"jsonrpc": "2.0", "id": "p", "result": {}})
    assert asking.metas[0][f"{META}clientCapabilities"] == {"elicitation": {"form": {}}}
    assert asking.metas[0][f"{META}clientInfo"] == {"name": "hand", "version": "1"}


@pytest.mark.requirement("gateway.event-streams")
async def test_posts_may_reach_the_other_replica(asking: Asking) -> None:
    """Its answers, and its questions, go to where the stream stands."""
    asking.rounds = [{"who": form()}]
    async with (
        running(asking.server) as url,
        replicas({"a": url}) as (one, other),
        streaming(one.url) as stream,
    ):
        there = stream.at(other)
        await there.ask("initialize", INITIALIZE)
        assert read(await stream.ask("tools/call", {"name": "say", "arguments": {"n": 1}})) == {
            "n": 1
        }
        question = await there.ask("tools/call", {"name": "ask"}, id=5)
        assert question["method"] == "elicitation/create"
        assert await stream.client.respond(question, ADA) == 202
        assert read(await stream.events.message()) == {"who": ADA}


@pytest.mark.requirement("gateway.event-streams")
async def test_ten_thousand_sessions_later_a_client_is_still_asked(asking: Asking) -> None:
    """What it said at the beginning is known for as long as its stream stands."""
    asking.rounds = [{"who": form()}]
    store = in_process_store()
    async with (
        running(asking.server) as url,
        routing({"a": url}, store=store) as mesh,
        streaming(mesh.url) as stream,
    ):
        await stream.ask("initialize", INITIALIZE)
        for number in range(10_001):
            await store.kept.put(f"session:{number}", b"{}", ttl_s=1000)
        question = await stream.ask("tools/call", {"name": "ask"}, id=5)
        assert question["method"] == "elicitation/create"
        assert await stream.client.respond(question, ADA) == 202
        assert read(await stream.events.message()) == {"who": ADA}


@pytest.mark.requirement("gateway.event-streams")
async def test_calls_end_with_their_stream(mesh: Mesh, asking: Asking) -> None:
    """Nobody is left to answer."""
    async with streaming(mesh.url) as stream:
        await stream.ask("initialize", INITIALIZE)
        assert await stream.post("tools/call", {"name": "hang"}) == 202
        await asking.begun.wait()
    async with asyncio.timeout(8):
        await asking.cancelled.wait()


async def test_calls_at_the_other_replica_end_with_the_stream(asking: Asking) -> None:
    """The one that held the stream tells it."""
    async with running(asking.server) as url, replicas({"a": url}) as (one, other):
        async with streaming(one.url) as stream:
            await stream.ask("initialize", INITIALIZE)
            assert await stream.at(other).post("tools/call", {"name": "hang"}) == 202
            await asking.begun.wait()
        async with asyncio.timeout(8):
            await asking.cancelled.wait()


async def test_a_call_can_be_cancelled(mesh: Mesh, asking: Asking) -> None:
    """By the notification, as everywhere."""
    async with streaming(mesh.url) as stream:
        await stream.ask("initialize", INITIALIZE)
        assert await stream.post("tools/call", {"name": "hang"}, id=9) == 202
        await asking.begun.wait()
        await stream.client.notify("notifications/cancelled", {"requestId": 9})
        await asking.cancelled.wait()
        assert (await stream.ask("ping"))["result"] == {}


async def test_a_context_goes_with_the_stream(mesh: Mesh) -> None:
    """The query of the stream's URL is that of the path to post to; a bad one is refused."""
    async with streaming(mesh.url, "/sse?owner=acme&repo=widgets") as stream:
        assert stream.path.startswith("/messages?owner=acme&repo=widgets&session_id=")
        assert "result" in await stream.ask("initialize", INITIALIZE)
    async with legacy_client(f"{mesh.url}/sse?nonsense=1") as client, client.getting() as answered:
        assert answered.status == 400


@pytest.mark.requirement("gateway.sessions-forged")
@pytest.mark.parametrize(
    ("query", "status"),
    [("", 400), ("session_id=", 404), ("session_id=x", 404), ("session_id=a&session_id=b", 400)],
)
async def test_posts_to_no_stream_are_refused(mesh: Mesh, query: str, status: int) -> None:
    """400 where not one id is given, 404 for one that is not known."""
    async with legacy_client(f"{mesh.url}/messages?{query}") as client:
        assert await client.send(PING) == status


async def test_a_closed_stream_takes_no_posts(mesh: Mesh) -> None:
    """404: the client opens a new one. Its id is no session of the other endpoint either."""
    async with streaming(mesh.url) as stream:
        await stream.ask("initialize", INITIALIZE)
        path = stream.path
    async with legacy_client(mesh.url + path) as client:
        async with asyncio.timeout(8):
            while await client.send(PING) != 404:
                pass
    async with legacy_client(mesh.mcp) as client:
        client.session = path.partition("session_id=")[2]
        assert await client.send(PING) == 404


@pytest.mark.parametrize("body", ["[]", 7, [], {"jsonrpc": "1.0"}, None, [7]])
async def test_what_is_no_message_is_refused(mesh: Mesh, body: object) -> None:
    """400, and the stream goes on."""
    async with streaming(mesh.url) as stream:
        assert await stream.client.send(body) == 400
        assert "result" in await stream.ask("initialize", INITIALIZE)


async def test_each_path_takes_its_own_method(mesh: Mesh) -> None:
    """405 says which."""
    async with aiohttp.ClientSession() as http:
        async with http.post(f"{mesh.url}/sse", data=b"{}") as answered:
            assert (answered.status, answered.headers["Allow"]) == (405, "GET")
        async with http.get(f"{mesh.url}/messages?session_id=x") as answered:
            assert (answered.status, answered.headers["Allow"]) == (405, "POST")
        async with http.get(f"{mesh.url}/servers/zz/sse") as answered:
            assert answered.status == 404


async def test_strange_pages_and_hosts_are_refused(mesh: Mesh) -> None:
    """The stream and each post, as on the other endpoint."""
    async with aiohttp.ClientSession() as http:
        for headers, status in (
            ({"Origin": "https://evil.example"}, 403),
            ({"Host": "evil.example"}, 421),
        ):
            async with http.get(f"{mesh.url}/sse", headers=headers) as answered:
                assert answered.status == status
            async with http.post(f"{mesh.url}/messages", headers=headers) as answered:
                assert answered.status == status


async def test_a_stream_is_for_its_own_caller() -> None:
    """Both ends ask who it is; another's id is not found."""
    keys = [entry("alice", scopes=["tools"]), entry("bob", scopes=["tools"])]
    async with (
        running(Scripted()) as url,
        routing({"a": url}, configured={"keys": keys}) as mesh,
        streaming(mesh.url, **bearing(key_of("alice"))) as stream,
    ):
        assert "result" in await stream.ask("initialize", INITIALIZE)
        stream.client.headers.clear()
        assert await stream.post("ping") == 401
        stream.client.headers.update(bearing(key_of("bob")))
        assert await stream.post("ping") == 404
        async with legacy_client(f"{mesh.url}/sse") as client, client.getting() as answered:
            assert answered.status == 401


async def test_a_stream_that_contradicts_its_key_leaves_nothing() -> None:
    """HTTP 403, however often it is asked for."""
    keys = [entry("bound", bind={"pr_number": 12})]
    async with (
        running(Scripted()) as url,
        routing({"a": url}, configured={"keys": keys}) as mesh,
        legacy_client(f"{mesh.url}/sse?pr_number=13", **bearing(key_of("bound"))) as client,
    ):
        before = _logs()
        for _ in range(5):
            async with client.getting() as answered:
                assert answered.status == 403
        assert _logs() == before


def _logs() -> int:
    return sum(type(each) is EventLog for each in gc.get_objects())


async def test_a_restart_with_an_open_stream(asking: Asking) -> None:
    """The stream ends; a new one opens at the router that took its place."""
    async with running(asking.server) as url, restartable({"a": url}) as router:
        async with streaming(router.url) as stream:
            await stream.ask("initialize", INITIALIZE)
            await router.restart()
            assert await stream.post("ping") == 404
        async with streaming(router.url) as stream:
            assert "result" in await stream.ask("initialize", INITIALIZE)


async def test_an_update_is_told_on_the_stream() -> None:
    """Lists and resources, from `initialize` on."""
    async with (
        serving(sample_server()) as url,
        routing({"a": url}) as mesh,
        streaming(mesh.url) as stream,
    ):
        await stream.ask("initialize", INITIALIZE)
        await stream.ask("resources/subscribe", {"uri": "sample://fixed"})
        told: list[object] = []
        while {"uri": "sample://fixed"} not in told:
            message = await stream.ask("tools/call", {"name": "touch", "arguments": {}})
            told.append(message.get("params"))
