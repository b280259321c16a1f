"""Calls that the bridge passes on: the answer as it came, and whose it is when it fails."""

import asyncio
import json
from typing import Annotated, Any

import pytest
from aiohttp import web
from mcp import Client
from mcp_types import CallToolResult
from pydantic import Field

from tests.interaction.capability_mesh import CapabilityMesh, capability_mesh
from tests.interaction.guarding import Mood, sick
from tests.interaction.keys import ask
from tests.interaction.mesh import Said
from tests.interaction.upstreams import Json, Scripted, cut, result, running, tool
from tests.interaction.wire import failure
from trunkline_shared.contracts import READ, WRITE_IDEMPOTENT, Policy
from trunkline_shared.errors import (
    AuthError,
    Conflict,
    InternalError,
    NetworkError,
    RateLimited,
    TrunklineError,
    UpstreamTimeout,
)
from trunkline_shared.server import ToolServer
from trunkline_shared.testing.serving import serving
from trunkline_shared.tool import tool as marked
from trunkline_shared.tool import tools_of

pytestmark = pytest.mark.anyio

MODES = ("legacy", "2026-07-28")
IMAGE: Json = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
TEXT: Json = {"type": "text", "text": "One.\nTwo.", "annotations": {"priority": 0.5}}


def answering(**given: object) -> Scripted:
    """Return a server whose every call is answered like that."""

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"resultType": "complete", "isError": False, **given})

    return Scripted(answer=answer)


async def passed(mesh: CapabilityMesh, server: str, name: str, **given: object) -> Any:
    """Return the whole result of a call that is passed on."""
    return (await mesh.raw("call_tool", None, server=server, tool=name, **given)).result


async def refused(mesh: CapabilityMesh, server: str, name: str, **given: object) -> Any:
    """Return the failure of a call that is passed on."""
    return failure(await mesh.raw("call_tool", None, server=server, tool=name, **given))


class KeyTools:
    """Tools with and without an idempotency key; the server's id is in what they say."""

    def __init__(self, server: str) -> None:
        self._server = server

    @marked("Pay", WRITE_IDEMPOTENT, Policy())
    async def pay(
        self, amount: int, idempotency_key: Annotated[str, Field(description="Once.")] = ""
    ) -> Said:
        """Pay once."""
        return Said(said=f"{amount} {idempotency_key}")

    @marked("Whose", READ, Policy())
    async def whose__is_it(self) -> Said:
        """Say which server this is."""
        return Said(said=self._server)


def key_server(name: str) -> ToolServer:
    """Return a server with these tools."""
    return ToolServer(name, version="1", instructions="", tools=tools_of(KeyTools(name)))


@pytest.mark.requirement("bridge.call")
@pytest.mark.parametrize("mode", MODES)
async def test_a_result_comes_back_as_its_server_made_it(mode: str) -> None:
    """Block for block, for clients of both eras; with the breaker afterwards, and one attempt."""
    server = answering(content=[TEXT, IMAGE], _meta={"their.own/note": 1})
    async with (
        running(server) as url,
        capability_mesh({"far": url}) as mesh,
        Client(mesh.router.mcp, mode=mode) as client,
    ):
        found = await client.call_tool(
            "call_tool", {"server": "far", "tool": "act", "arguments": {"a": [1, {"b": None}]}}
        )
        (tools,) = [one for one in (await client.list_tools()).tools if one.name == "call_tool"]
    assert isinstance(found, CallToolResult)
    shown = [one.model_dump(by_alias=True, exclude_none=True) for one in found.content]
    assert shown == [TEXT, IMAGE]
    assert found.structured_content is not None
    assert found.structured_content["content"] == [TEXT, IMAGE]
    assert found.structured_content["attempts"] == 1
    assert found.structured_content["breaker"]["state"] == "closed"
    assert found.meta is not None
    assert found.meta["their.own/note"] == 1
    assert server.calls[0]["params"]["arguments"] == {"a": [1, {"b": None}]}  # type: ignore[index] # JSON
    hints = tools.annotations
    assert hints is not None
    assert (hints.read_only_hint, hints.destructive_hint) == (False, True)
    assert (hints.idempotent_hint, hints.open_world_hint) == (False, True)


@pytest.mark.requirement("bridge.call")
async def test_structured_content_is_said_once() -> None:
    """And the text that says the same stays where readers of texts look."""
    async with capability_mesh() as mesh:
        found = await passed(mesh, "sample", "echo", arguments={"text": "hi"})
    assert json.loads(found["content"][0]["text"]) == {"said": "hi"}
    assert found["structuredContent"]["structuredContent"] == {"said": "hi"}
    assert found["structuredContent"]["content"] == []


@pytest.mark.requirement("bridge.call-errors")
@pytest.mark.parametrize(
    "error",
    [
        Conflict("Somebody was faster.", hint="Read it again.", details={"sha": "abc"}),
        RateLimited("Too many.", retry_after=7, details={"throttle": {"resource": "core"}}),
        AuthError("The vendor refused the credential."),
    ],
    ids=lambda error: error.code,
)
async def test_a_failure_comes_back_with_its_payload(error: TrunklineError) -> None:
    """Code, hint, details and all, exactly as a direct call has it."""
    mood = Mood(error=error)
    async with running(Scripted(answer=mood)) as url, capability_mesh({"far": url}) as mesh:
        found = await passed(mesh, "far", "act")
    direct = json.loads(found["content"][0]["text"])
    assert "structuredContent" not in found
    assert (direct["error_code"], direct["message"]) == (error.code, error.message)
    assert (direct.get("hint"), direct["retry_after"]) == (error.hint, error.retry_after)
    assert error.details.items() <= direct["details"].items()
    assert found["_meta"]["dev.trunkline/passed_on"]["server"] == "far"


@pytest.mark.requirement("bridge.call-errors")
async def test_a_foreign_servers_prose_stays_what_it_is() -> None:
    """It is an error, and no payload of ours."""
    server = answering(content=[{"type": "text", "text": "Sorry."}], isError=True)
    async with running(server) as url, capability_mesh({"far": url}) as mesh:
        found = await passed(mesh, "far", "act")
    assert (found["isError"], found["content"]) == (True, [{"type": "text", "text": "Sorry."}])


@pytest.mark.requirement("bridge.call-blame")
@pytest.mark.parametrize(
    "error",
    [sick(), InternalError("A bug."), NetworkError("Gone."), UpstreamTimeout("Slow.")],
    ids=lambda error: error.code,
)
async def test_what_another_server_fails_at_is_not_held_against_the_bridge(
    error: TrunklineError,
) -> None:
    """Its own breaker opens, after as many failures as with direct calls."""
    async with (
        running(Scripted(answer=Mood(error=error))) as url,
        capability_mesh({"far": url}) as mesh,
    ):
        codes = [(await refused(mesh, "far", "act"))["error_code"] for _ in range(4)]
        states = await mesh.answer("get_circuit_breaker_states")
    assert codes == [error.code] * 3 + ["CIRCUIT_OPEN"]
    assert (states["far"]["state"], states["far"]["consecutiveFailures"]) == ("open", 3)
    assert (states["bridge"]["state"], states["bridge"]["consecutiveFailures"]) == ("closed", 0)


@pytest.mark.requirement("bridge.call-blame")
async def test_another_servers_rate_limit_holds_no_other_call_back() -> None:
    """The next call of another server through the same tool goes through."""
    mood = Mood(error=RateLimited("Too many.", retry_after=60))
    async with running(Scripted(answer=mood)) as url, capability_mesh({"far": url}) as mesh:
        assert (await refused(mesh, "far", "act"))["error_code"] == "RATE_LIMITED"
        assert (await passed(mesh, "sample", "echo", arguments={"text": "x"}))["isError"] is False
        assert (await refused(mesh, "far", "act"))["error_code"] == "RATE_LIMITED"
    assert mood.begun == 1


@pytest.mark.requirement("bridge.call-errors")
async def test_a_server_that_dies_in_a_call_costs_that_call() -> None:
    """A write may have happened, and is not repeated; what only reads may be called again."""
    server = Scripted(answer=cut)
    async with running(server) as url, capability_mesh({"far": url}) as mesh:
        written = await refused(mesh, "far", "write")
        sent = len(server.calls)
        read = await refused(mesh, "far", "act")
    assert (written["error_code"], written["retryable"], sent) == ("NETWORK_ERROR", False, 1)
    assert written["details"]["may_have_happened"] is True
    assert (read["error_code"], read["retryable"]) == ("NETWORK_ERROR", True)


@pytest.mark.requirement("bridge.call-errors")
@pytest.mark.parametrize(("name", "may_have"), [("write", True), ("act", None)])
async def test_a_call_out_of_time_says_whether_it_may_have_happened(
    name: str, may_have: object
) -> None:
    """The caller's own time is kept, and counts against nobody."""

    async def never(http: web.Request, request: Json) -> web.StreamResponse:
        await asyncio.Event().wait()
        return web.Response()

    async with running(Scripted(answer=never)) as url, capability_mesh({"far": url}) as mesh:
        late = await refused(mesh, "far", name, timeout_ms=300)
        states = await mesh.answer("get_circuit_breaker_states")
    assert late["error_code"] == "TIMEOUT"
    assert states["far"]["consecutiveFailures"] == 0
    assert late["details"].get("may_have_happened") is may_have


@pytest.mark.requirement("bridge.call-names")
async def test_names_that_clash_are_told_apart_by_their_server() -> None:
    """With `__` and `-` in them: no name is ever split."""
    ids = ("one__a", "one", "two-b")
    async with (
        serving(key_server(ids[0])) as first,
        serving(key_server(ids[1])) as second,
        serving(key_server(ids[2])) as third,
        capability_mesh(dict(zip(ids, (first, second, third), strict=True))) as mesh,
    ):
        for server in ids:
            found = await passed(mesh, server, "whose__is_it")
            assert found["structuredContent"]["structuredContent"] == {"said": server}


@pytest.mark.requirement("bridge.call-names")
async def test_wrong_names_are_refused_with_the_nearest() -> None:
    """Nothing is silence, and no path leads out of the servers' place."""
    async with capability_mesh() as mesh:
        server = await refused(mesh, "sampel", "echo")
        name = await refused(mesh, "sample", "ecco", arguments={"text": "x"})
        argument = await refused(mesh, "sample", "echo", arguments={"txt": "x"})
        strange = [await refused(mesh, odd, "echo") for odd in ("../api", "a/b", "?", "\u202e")]
        wrong = [
            await refused(mesh, "sample", "echo", arguments=[1]),
            await refused(mesh, "sample", "echo", timeout_ms=0),
        ]
    assert server["hint"] == "Did you mean 'sample'?"
    assert name["hint"] == "Did you mean 'echo'?"
    assert argument["details"]["field_errors"][0]["field"] == "txt"
    for one in (server, name, argument, *strange, *wrong):
        assert one["error_code"] == "INVALID_INPUT"


@pytest.mark.requirement("bridge.call-names")
async def test_a_tool_on_a_later_page_is_found() -> None:
    """Lists are followed to their end before a name is called unknown."""
    tools = [tool(f"tool_{number}") for number in range(25)]
    async with (
        running(Scripted(tools=tools, page=4)) as url,
        capability_mesh({"far": url}) as mesh,
    ):
        assert (await passed(mesh, "far", "tool_24"))["isError"] is False
        missing = await refused(mesh, "far", "tool_2x")
        listed = await mesh.answer("list_capabilities", server="far")
    assert missing["hint"].startswith("Did you mean 'tool_2")
    assert len(listed["servers"][0]["tools"]) == 25


@pytest.mark.requirement("bridge.call-key")
async def test_an_idempotency_key_goes_to_tools_that_take_one() -> None:
    """Elsewhere it would promise what nobody keeps."""
    async with serving(key_server("far")) as url, capability_mesh({"far": url}) as mesh:
        paid = await passed(mesh, "far", "pay", arguments={"amount": 3}, idempotency_key="once")
        other = await refused(mesh, "far", "whose__is_it", idempotency_key="once")
        twice = await refused(
            mesh, "far", "pay", arguments={"amount": 3, "idempotency_key": "a"},
            idempotency_key="b",
        )  # fmt: skip
    assert paid["structuredContent"]["structuredContent"] == {"said": "3 once"}
    assert other["error_code"] == twice["error_code"] == "INVALID_INPUT"
    assert "idempotency_key" in other["message"]


@pytest.mark.requirement("bridge.call-large")
async def test_a_very_large_result_is_cut_and_says_so() -> None:
    """At the end of a line; data that does not fit is named; the answer is no error."""
    lines = "\n".join(f"line {number:07}" for number in range(200_000))
    big = answering(content=[{"type": "text", "text": lines}, TEXT])
    image = answering(content=[TEXT, IMAGE | {"data": "A" * 200_000}])
    data = answering(
        content=[{"type": "text", "text": "short"}], structuredContent={"lines": lines[:300_000]}
    )
    async with (
        running(big) as url,
        running(data) as other,
        running(image) as third,
        capability_mesh({"big": url, "data": other, "image": third}) as mesh,
    ):
        found = await passed(mesh, "big", "act")
        seen = await passed(mesh, "image", "act")
        without = await passed(mesh, "data", "act")
    assert not found["isError"]
    *shown, note = found["content"][0]["text"].split("\n")
    assert all(len(line) == len("line 0000000") for line in shown)
    assert 90_000 < len(found["content"][0]["text"]) < 110_000
    assert "is cut to" in note
    assert found["content"][1]["text"].startswith("… ")
    assert seen["content"][0] == TEXT
    assert seen["content"][1]["text"].startswith("[image of ")
    assert "is left out" in seen["structuredContent"]["note"]
    assert without["content"] == [{"type": "text", "text": "short"}]
    assert "structuredContent of " in without["structuredContent"]["note"]
    assert without["structuredContent"]["content"] == without["content"]


@pytest.mark.requirement("bridge.call")
async def test_a_binding_holds_for_calls_that_are_passed_on() -> None:
    """A job's token reaches no other object through the bridge."""
    bound: Json = {
        "name": "read",
        "description": "Read.",
        "inputSchema": {
            "type": "object",
            "properties": {"owner": {"type": "string"}, "repo": {"type": "string"}},
        },
        "annotations": {"readOnlyHint": True},
    }
    server = Scripted(tools=[bound])
    async with running(server) as url, capability_mesh({"far": url}) as mesh:
        path = "/mcp?owner=acme&repo=widgets"
        given = {"server": "far", "tool": "read", "arguments": {}}
        params = {"name": "call_tool", "arguments": given}
        await ask(mesh.router, None, "tools/call", params, path=path)
        other = params | {"arguments": given | {"arguments": {"repo": "secrets"}}}
        denied = await ask(mesh.router, None, "tools/call", other, path=path)
    assert failure(denied)["error_code"] == "BLOCKED_BY_POLICY"
    (call,) = server.calls
    assert call["params"]["arguments"] == {"owner": "acme", "repo": "widgets"}  # type: ignore[index] # JSON
