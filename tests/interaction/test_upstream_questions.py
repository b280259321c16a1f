"""What an older server asks in a call: asked of the call's client, and answered by its retry."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import orjson
import pytest
from aiohttp import web

from tests.interaction import keys
from tests.interaction.legacy_wire import legacy_client
from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.scripted_older import ScriptedOlder, opened, running
from tests.interaction.upstreams import Json, event, result, tool
from tests.interaction.wire import META, Reply, call_modern

pytestmark = pytest.mark.anyio

RARELY = replace(QUICK, pace=replace(QUICK.pace, refresh_s=60))
SECRET = "0123456789abcdef"
OFFERED: Json = {"elicitation": {"form": {}, "url": {}}, "roots": {"listChanged": True}}
META_OF = META | {"io.modelcontextprotocol/clientCapabilities": OFFERED}
ELICIT: Json = {
    "method": "elicitation/create",
    "params": {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}},
}
ROOTS: Json = {"method": "roots/list", "params": {}}
YES: Json = {"action": "accept", "content": {"sure": True}}


async def asks(server: ScriptedOlder, http: web.Request, request: Json) -> web.StreamResponse:
    """Ask whatever the call's arguments say, round by round, then tell what was answered."""
    params: Any = request["params"]
    response = await opened(http)
    told: list[object] = []
    for number, round_ in enumerate(params["arguments"].get("rounds", [])):
        ids = [f"ask-{request['id']}-{number}-{place}" for place in range(len(round_))]
        for id_, question in zip(ids, round_, strict=True):
            await response.write(event({"jsonrpc": "2.0", "id": id_, **question}))
        await server.until(lambda ids=ids: set(ids) <= set(answers(server)))  # type: ignore[misc]  # mypy knows no default of a lambda
        told += [answers(server)[id_] for id_ in ids]
    content = [{"type": "text", "text": orjson.dumps(told).decode()}]
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"content": content}}
    await response.write(event(answer))
    return response


def answers(server: ScriptedOlder) -> Mapping[object, object]:
    """Return what came back for each of the server's own requests."""
    return {
        one["id"]: one.get("result", one.get("error"))
        for one in server.asked
        if "method" not in one
    }


@asynccontextmanager
async def asking(server: ScriptedOlder, **configured: object) -> AsyncIterator[Mesh]:
    async with (
        asyncio.timeout(15),
        running(server) as url,
        routing({"older": url}, terms=RARELY, configured=configured, secret=SECRET) as mesh,
    ):
        yield mesh


async def call(mesh: Mesh, rounds: object, **retry: object) -> Reply:
    return await call_modern(mesh.port, "act", arguments={"rounds": rounds}, _meta=META_OF, **retry)


def told(reply: Reply) -> Any:
    return orjson.loads(reply.result["content"][0]["text"])


@pytest.mark.requirement("gateway.upstream-questions")
async def test_a_question_is_asked_in_a_result_and_answered_by_the_retry() -> None:
    """clients.md 13: several at once, several rounds; the call is made once."""
    server = ScriptedOlder(answer=asks)
    async with asking(server) as mesh:
        rounds = [[ELICIT], [ELICIT, ROOTS]]
        first = (await call(mesh, rounds)).result
        assert first["resultType"] == "input_required"
        ((key, asked),) = first["inputRequests"].items()
        assert asked == ELICIT
        second = (
            await call(mesh, rounds, inputResponses={key: YES}, requestState=first["requestState"])
        ).result
        # What comes one after the other is asked as it comes.
        while second["resultType"] == "input_required":
            given: Json = {
                key: YES if asked["method"] == "elicitation/create" else {"roots": []}
                for key, asked in second["inputRequests"].items()
            }
            state = second["requestState"]
            second = (await call(mesh, rounds, inputResponses=given, requestState=state)).result
        assert orjson.loads(second["content"][0]["text"]) == [YES, YES, {"roots": []}]
    assert server.methods().count("tools/call") == 1
    assert server.begun[-1]["params"]["capabilities"] == OFFERED | {"roots": {}}  # type: ignore[index]  # JSON


@pytest.mark.requirement("gateway.upstream-questions")
async def test_an_answer_that_is_missing_is_asked_for_again() -> None:
    """Unknown answers are passed over; the state of before is used up."""
    async with asking(ScriptedOlder(answer=asks)) as mesh:
        first = (await call(mesh, [[ELICIT]])).result
        state = first["requestState"]
        again = (
            await call(mesh, [[ELICIT]], inputResponses={"odd": YES}, requestState=state)
        ).result
        assert again["inputRequests"] == first["inputRequests"]
        used = await call(mesh, [[ELICIT]], requestState=state)
        error = told(used)
        assert (error["error_code"], error["retryable"]) == ("CANCELLED", True)
        (key,) = again["inputRequests"]
        state = again["requestState"]
        done = await call(mesh, [[ELICIT]], inputResponses={key: YES}, requestState=state)
        assert told(done) == [YES]


@pytest.mark.requirement("gateway.upstream-questions")
async def test_a_state_is_good_for_its_own_request_only() -> None:
    """Forged, of other arguments, of another caller: -32602, and the call goes on waiting."""
    configured = {"keys": [keys.entry("ada"), keys.entry("bob")]}
    params: Json = {"name": "act", "arguments": {"rounds": [[ELICIT]]}, "_meta": META_OF}
    async with asking(ScriptedOlder(answer=asks), **configured) as mesh:
        ada, bob = keys.key_of("ada"), keys.key_of("bob")
        first = (await keys.ask(mesh, ada, "tools/call", params)).result
        state = first["requestState"]
        (key,) = first["inputRequests"]
        retry = params | {"inputResponses": {key: YES}, "requestState": state}
        forged = retry | {"requestState": ("B" if state[0] == "A" else "A") + state[1:]}
        other = retry | {"arguments": {"rounds": [[ROOTS]]}}
        for bearer, wrong in ((bob, retry), (ada, forged), (ada, other)):
            reply = await keys.ask(mesh, bearer, "tools/call", wrong)
            assert (reply.status, reply.error["code"]) == (400, -32602)
        assert told(await keys.ask(mesh, ada, "tools/call", retry)) == [YES]


@pytest.mark.requirement("gateway.upstream-questions")
async def test_a_router_that_was_restarted_says_that_the_call_waits_no_more() -> None:
    """A typed error: a write may have happened, and must not be repeated blindly."""
    server = ScriptedOlder(answer=asks, tools=[tool("act", read_only=False)])
    async with running(server) as url, asyncio.timeout(15):
        async with routing({"older": url}, terms=RARELY, secret=SECRET) as mesh:
            state = (await call(mesh, [[ELICIT]])).result["requestState"]
        async with routing({"older": url}, terms=RARELY, secret=SECRET) as mesh:
            error = told(await call(mesh, [[ELICIT]], requestState=state))
    assert (error["error_code"], error["retryable"]) == ("CANCELLED", False)
    assert error["details"] == {"may_have_happened": True}


@pytest.mark.requirement("gateway.upstream-questions")
async def test_what_the_client_does_not_offer_is_refused_and_a_ping_answered() -> None:
    """-32601 to the server at once; nobody is asked."""
    sampling: Json = {"method": "sampling/createMessage", "params": {"messages": []}}
    server = ScriptedOlder(answer=asks)
    async with asking(server) as mesh:
        (refused, pong) = told(await call(mesh, [[sampling, {"method": "ping"}]]))
    assert refused["code"] == -32601
    assert pong == {}


@pytest.mark.requirement("gateway.upstream-questions")
async def test_a_url_to_visit_first_is_asked_and_the_call_made_again() -> None:
    """-32042 of 2025-11-25 is no error of today: it becomes a question."""
    visit: Json = {
        "mode": "url",
        "message": "Sign in.",
        "url": "https://x.example/",
        "elicitationId": "1",
    }

    async def wants_a_visit(
        server: ScriptedOlder, http: web.Request, request: Json
    ) -> web.StreamResponse:
        if server.methods().count("tools/call") > 1:
            return result(request, {"content": [{"type": "text", "text": '"signed in"'}]})
        data = {"elicitations": [visit]}
        error = {"code": -32042, "message": "Sign in first.", "data": data}
        return web.json_response({"jsonrpc": "2.0", "id": request["id"], "error": error})

    async with asking(ScriptedOlder(answer=wants_a_visit)) as mesh:
        first = (await call(mesh, [])).result
        ((key, asked),) = first["inputRequests"].items()
        assert asked == {"method": "elicitation/create", "params": visit}
        state = first["requestState"]
        visited = {key: {"action": "accept"}}
        done = await call(mesh, [], inputResponses=visited, requestState=state)
    assert told(done) == "signed in"


class AsksAtOnce(ScriptedOlder):
    """Asks for roots on its own stream as soon as a session begins, as file servers do."""

    async def get(self, http: web.Request) -> web.StreamResponse:
        queue = self.sessions[http.headers["Mcp-Session-Id"]]
        queue.put_nowait(event({"jsonrpc": "2.0", "id": "roots", **ROOTS}))
        return await super().get(http)


@pytest.mark.requirement("gateway.upstream-questions")
async def test_roots_that_are_asked_for_at_the_handshake_are_asked_with_the_next_call() -> None:
    """clients.md 13: the router itself has none; its caller's are the caller's to tell."""
    released = asyncio.Event()

    async def waits(server: ScriptedOlder, http: web.Request, request: Json) -> web.StreamResponse:
        await released.wait()
        return result(request, {"content": [{"type": "text", "text": "1"}]})

    server = AsksAtOnce(answer=waits)
    async with asking(server) as mesh:
        assert answers(server)["roots"] == {"roots": []}
        first = (await call(mesh, [])).result
        ((key, asked),) = first["inputRequests"].items()
        assert asked == ROOTS
        mine: Json = {"roots": [{"uri": "file:///home"}]}
        released.set()
        retry = {"inputResponses": {key: mine}, "requestState": first["requestState"]}
        assert told(await call(mesh, [], **retry)) == 1
        await server.until(lambda: mine in [one.get("result") for one in server.asked])


@pytest.mark.parametrize("how", ["cancels the call", "answers with an error"])
async def test_a_client_that_gives_up_while_it_is_asked_frees_the_call_at_its_server(
    how: str,
) -> None:
    """The server's question is refused, its request cancelled; nothing waits for ten minutes."""
    server = ScriptedOlder(answer=asks)
    async with asking(server) as mesh, legacy_client(mesh.mcp) as client:
        await client.initialize({"elicitation": {}})
        arguments: Json = {"rounds": [[ELICIT]]}
        params: Json = {"name": "act", "arguments": arguments}
        async with client.asking("tools/call", params, id="q") as stream:
            question = await stream.message()
            if how == "cancels the call":
                await client.notify("notifications/cancelled", {"requestId": "q"})
            else:
                error = {"code": -1, "message": "not now"}
                await client.send({"jsonrpc": "2.0", "id": question["id"], "error": error})
            await stream.rest()
        await server.until(lambda: "notifications/cancelled" in server.methods())
        (refused,) = answers(server).values()
    assert "given it up" in str(refused)
