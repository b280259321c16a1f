"""Batches of 2025-03-26, within sessions and without."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from tests.interaction.asking_server import Asking, form, read, said
from tests.interaction.legacy_wire import LegacyClient, legacy_client
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Json, Scripted, running, tool

pytestmark = pytest.mark.anyio

INITIALIZED: Json = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, name: str, **arguments: object) -> Json:
    """Return a tool's call."""
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def cancelled(number: int) -> Json:
    """Return a notification that cancels."""
    params = {"requestId": number}
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}


@pytest.fixture(params=["session", "alone"])
async def client(mesh: Mesh, request: pytest.FixtureRequest) -> AsyncIterator[LegacyClient]:
    """A client of 2025-03-26."""
    async with legacy_client(mesh.mcp) as client:
        if request.param == "session":
            await client.initialize(version="2025-03-26")
        yield client


@pytest.mark.requirement("gateway.batches")
async def test_a_batch_of_quick_requests_is_one_array(client: LegacyClient) -> None:
    """In the order of the requests; notifications have no answer."""
    batch = [call(1, "say", n=1), INITIALIZED, call(2, "say", n=2), {"bad": 1}]
    async with client.posting(batch) as answered:
        assert not answered.streams
        told = await answered.json()
    assert [one["id"] for one in told] == [1, 2, None]
    assert [read(one) for one in told[:2]] == [{"n": 1}, {"n": 2}]
    assert told[2]["error"]["code"] == -32600


@pytest.mark.requirement("gateway.batches")
async def test_a_batch_that_has_something_to_tell_streams(
    client: LegacyClient, asking: Asking
) -> None:
    """Each answer as a message of its own, as it comes; then the stream ends."""
    async with client.posting([call(1, "wait"), call(2, "say", n=2)]) as stream:
        assert stream.streams
        await asking.begun.wait()
        asking.go.set()
        messages = await stream.rest()
    answers = {message["id"]: read(message) for message in messages if "id" in message}
    assert answers == {1: {"waited": True}, 2: {"n": 2}}
    assert [m["params"] for m in messages if "method" in m] == [{"progress": 1}, {"progress": 2}]


@pytest.mark.requirement("gateway.batches")
async def test_no_answer_of_a_batch_is_lost_however_much_they_are_together() -> None:
    """What is dropped when a client reads slowly is never what it waits for."""
    go = asyncio.Event()

    async def answer(_: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        if params["name"] == "wait":
            await go.wait()
        return said(request, "x" * 400_000)

    server = Scripted(answer=answer, tools=[tool("say"), tool("wait")])
    async with (
        running(server) as url,
        routing({"a": url}) as mesh,
        legacy_client(mesh.mcp) as client,
    ):
        await client.initialize(version="2025-03-26")
        quick = [call(number, "say") for number in range(1, 16)]
        async with client.posting([*quick, call(16, "wait")]) as stream:
            go.set()
            messages = await stream.rest()
    assert sorted(message["id"] for message in messages) == list(range(1, 17))


@pytest.mark.requirement("gateway.batches")
async def test_a_batch_may_cancel_its_own(client: LegacyClient) -> None:
    """The cancelled one is not answered; the others are."""
    async with client.posting([call(1, "hang"), cancelled(1), call(2, "say")]) as answered:
        told = await answered.json()
    assert [one["id"] for one in told] == [2]
    assert await client.send([call(3, "hang"), cancelled(3)]) == 202


@pytest.mark.parametrize(
    "batch", [[INITIALIZED], [{"jsonrpc": "2.0", "id": 7, "result": {}}, INITIALIZED]]
)
async def test_a_batch_without_requests_is_accepted(
    client: LegacyClient, batch: list[Json]
) -> None:
    """202, for responses and notifications alike."""
    assert await client.send(batch) == 202


async def test_without_streams_a_batch_waits_for_all(client: LegacyClient, asking: Asking) -> None:
    """One array, without what was told on the way."""
    asking.go.set()
    client.headers = {"Accept": "application/json"}
    async with client.posting([call(1, "wait"), call(2, "say")]) as answered:
        assert [one["id"] for one in await answered.json()] == [1, 2]


async def test_a_question_of_a_batch_is_answered_in_a_batch(mesh: Mesh, asking: Asking) -> None:
    """The stream of the batch carries it; the response may come in a batch as well."""
    asking.rounds = [{"who": form()}]
    async with legacy_client(mesh.mcp) as client:
        await client.initialize({"elicitation": {}}, "2025-03-26")
        async with client.posting([call(1, "ask")]) as stream:
            question = await stream.message()
            response = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "cancel"}}
            assert await client.send([response, INITIALIZED]) == 202
            assert read(await stream.message()) == {"who": {"action": "cancel"}}


@pytest.mark.requirement("gateway.batches")
@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
async def test_later_sessions_have_no_batches(mesh: Mesh, version: str) -> None:
    """Whether they say their version in a header or not."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(version=version)
        assert await client.send([call(1, "say")]) == 400
        client.headers = {"MCP-Protocol-Version": "2025-03-26"}
        assert await client.send([call(1, "say")]) == 400


async def test_a_batch_that_is_left_is_given_up_without_a_session(
    mesh: Mesh, asking: Asking
) -> None:
    """Nobody could fetch its answers."""
    async with legacy_client(mesh.mcp) as client:
        async with asyncio.TaskGroup() as tasks:
            sent = tasks.create_task(client.send([call(1, "hang")]))
            await asking.begun.wait()
            sent.cancel()
        async with asyncio.timeout(5):
            await asking.cancelled.wait()
