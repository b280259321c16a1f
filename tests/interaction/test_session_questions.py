"""What a modern server asks reaches a legacy client as a request, and its answer the server."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson
import pytest
from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp_types import ElicitRequestParams, ElicitResult

from tests.interaction.asking_server import META, ROOTS, SAMPLE, Asking, form, read
from tests.interaction.legacy_wire import LegacyClient, legacy_client
from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.replicas import replicas
from tests.interaction.upstreams import Json, running

pytestmark = pytest.mark.anyio

ALL = {"elicitation": {}, "sampling": {}, "roots": {"listChanged": True}}
ADA: Json = {"action": "accept", "content": {"name": "Ada"}}


async def asked(client: LegacyClient, result: Mapping[str, object], **params: object) -> Any:
    """Call `ask`, answer every question with `result`, and return what the tool says."""
    async with client.asking("tools/call", {"name": "ask", **params}) as stream:
        while True:
            message = await stream.message()
            if "method" not in message:
                return message
            assert await client.respond(message, result) == 202


def failure(answer: Json) -> Any:
    """Return the payload of a tool's error."""
    result = answer["result"]
    assert isinstance(result, dict)
    assert result["isError"] is True
    return orjson.loads(result["content"][0]["text"])


@pytest.mark.requirement("gateway.sessions-questions")
async def test_a_form_is_filled_in(mesh: Mesh, asking: Asking) -> None:
    """As elicitation/create on the call's stream; the answer is the retry's."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize({"elicitation": {}})
        async with client.asking("tools/call", {"name": "ask"}, id="c") as stream:
            question = await stream.message()
            assert question["method"] == "elicitation/create"
            assert question["params"] == form()["params"]
            assert await client.respond(question, ADA) == 202
            answer = await stream.message()
    assert answer["id"] == "c"
    assert read(answer) == {"who": ADA}
    assert [meta[f"{META}clientCapabilities"] for meta in asking.metas] == [
        {"elicitation": {"form": {}}}
    ] * 2
    assert asking.metas[0][f"{META}clientInfo"] == {"name": "hand", "version": "1"}


@pytest.mark.requirement("gateway.sessions-questions")
async def test_the_sdks_client_answers(mesh: Mesh) -> None:
    """The Python SDK in its legacy mode, through its own handler (clients.md 13)."""
    seen: list[str] = []

    async def fill(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        seen.append(params.message)
        return ElicitResult(action="accept", content={"name": "Ada"})

    async with (
        asyncio.timeout(10),
        Client(mesh.mcp, mode="legacy", elicitation_callback=fill) as client,
    ):
        result = await client.call_tool("ask", {})
    assert seen == ["Who?"]
    assert not result.is_error


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_no_is_passed_on(mesh: Mesh, action: str) -> None:
    """The server hears which of the two it was."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(ALL)
        assert read(await asked(client, {"action": action})) == {"who": {"action": action}}


async def test_questions_of_one_round_are_asked_together(mesh: Mesh, asking: Asking) -> None:
    """A form, a sample and the roots; answered in any order, each under its own key."""
    asking.rounds = [{"f": form(), "s": SAMPLE, "r": ROOTS}]
    results: dict[str, Json] = {
        "elicitation/create": ADA,
        "sampling/createMessage": {"role": "assistant", "content": {"type": "text", "text": "x"}},
        "roots/list": {"roots": []},
    }
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(ALL)
        async with client.asking("tools/call", {"name": "ask"}) as stream:
            questions = [await stream.message() for _ in range(3)]
            assert len({question["id"] for question in questions}) == 3
            for question in reversed(questions):
                await client.respond(question, results[question["method"]])
            told = read(await stream.message())
    assert told == {
        "f": ADA,
        "s": results["sampling/createMessage"],
        "r": results["roots/list"],
    }


async def test_a_server_may_ask_again(mesh: Mesh, asking: Asking) -> None:
    """Three rounds, of which one asks nothing and only wants to be called again."""
    asking.rounds = [{"a": form("One?")}, {}, {"b": form("Two?")}]
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(ALL)
        assert read(await asked(client, ADA)) == {"b": ADA}


async def test_a_server_that_asks_for_ever_is_stopped(mesh: Mesh, asking: Asking) -> None:
    """With an error that says so."""
    asking.rounds = [{"who": form()}] * 100
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(ALL)
        assert failure(await asked(client, ADA))["error_code"] == "UNSUPPORTED"


@pytest.mark.parametrize(
    ("declared", "question", "lacking"),
    [
        ({}, form(), "elicitation.form"),
        ({"elicitation": {"url": {}}}, form(), "elicitation.form"),
        ({"elicitation": {}}, SAMPLE, "sampling"),
        (
            {"elicitation": {}},
            {"method": "elicitation/create", "params": {"mode": "url", "url": "https://x"}},
            "elicitation.url",
        ),
        (
            {"sampling": {}},
            {"method": "sampling/createMessage", "params": {"tools": []}},
            "sampling.tools",
        ),
        (ALL, {"method": "no/such"}, "no/such"),
    ],
)
async def test_only_what_was_declared_is_asked(
    mesh: Mesh, asking: Asking, declared: Json, question: Json, lacking: str
) -> None:
    """Anything else is an error that names what is missing."""
    asking.rounds = [{"q": question}]
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(declared)
        told = failure(await client.call("ask"))
    assert told["error_code"] == "UNSUPPORTED"
    assert told["details"]["capability"] == lacking


async def test_a_client_without_streams_cannot_be_asked(mesh: Mesh, asking: Asking) -> None:
    """Servers hear of no capability, and one that asks all the same is an error."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(ALL)
        client.headers = {"Accept": "application/json"}
        assert "stream" in failure(await client.call("ask"))["message"]
    assert asking.metas[0][f"{META}clientCapabilities"] == {}


@pytest.mark.parametrize(("code", "kind"), [(-32601, "UNSUPPORTED"), (-1, "CANCELLED")])
async def test_a_clients_error_is_told(mesh: Mesh, code: int, kind: str) -> None:
    """Many declare elicitation and answer -32601 (clients.md 13)."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(ALL)
        async with client.asking("tools/call", {"name": "ask"}) as stream:
            question = await stream.message()
            error = {"code": code, "message": "User rejected it"}
            await client.send({"jsonrpc": "2.0", "id": question["id"], "error": error})
            told = failure(await stream.message())
    assert told["error_code"] == kind
    assert told["details"]["client_error"] == error


@pytest.mark.requirement("gateway.sessions-anywhere")
async def test_an_answer_may_reach_the_other_replica(asking: Asking) -> None:
    """A balancer sends each POST where it likes."""
    async with (
        running(asking.server) as url,
        replicas({"a": url}) as (one, other),
        legacy_client(one.mcp) as client,
    ):
        await client.initialize(ALL)
        async with client.asking("tools/call", {"name": "ask"}) as stream:
            question = await stream.message()
            assert await client.elsewhere(other.mcp).respond(question, ADA) == 202
            assert read(await stream.message()) == {"who": ADA}


async def test_another_session_cannot_answer(mesh: Mesh) -> None:
    """Nor does it learn that there is such a question."""
    async with legacy_client(mesh.mcp) as client, legacy_client(mesh.mcp) as other:
        await client.initialize(ALL)
        await other.initialize(ALL)
        async with client.asking("tools/call", {"name": "ask"}) as stream:
            question = await stream.message()
            assert await other.respond(question, {"action": "decline"}) == 202
            assert await client.respond(question, ADA) == 202
            assert read(await stream.message()) == {"who": ADA}


@pytest.mark.parametrize("id_", [1, "x", "tl-0-1", "tl--", "tl-../x-1", "tl-" + "a" * 999])
async def test_answers_that_nobody_asked_for_are_dropped(mesh: Mesh, id_: object) -> None:
    """Late, twice, or made up."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(ALL)
        assert await client.respond({"id": id_}, ADA) == 202


@pytest.mark.requirement("gateway.sessions-resume")
async def test_a_question_outlives_its_connection(mesh: Mesh) -> None:
    """Asked again on the stream that is taken up, and answered there."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(ALL)
        async with client.asking("tools/call", {"name": "ask"}) as stream:
            first = await stream.event()
        assert first.id is not None
        async with client.getting(first.id) as resumed:
            question = await resumed.message()
            await client.respond(question, ADA)
            assert read(await resumed.message()) == {"who": ADA}


async def test_older_forms_have_no_mode(mesh: Mesh) -> None:
    """2025-06-18 knows forms alone, and nothing of modes."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(ALL, "2025-06-18")
        async with client.asking("tools/call", {"name": "ask"}) as stream:
            question = await stream.message()
            assert set(question["params"]) == {"message", "requestedSchema"}


async def test_nobody_is_waited_for_for_ever(asking: Asking) -> None:
    """The question is withdrawn, and the tool's answer says that nobody answered it."""
    hasty = replace(QUICK, limits=replace(QUICK.limits, asking_s=0.2))
    async with (
        running(asking.server) as url,
        routing({"a": url}, terms=hasty) as mesh,
        legacy_client(mesh.mcp) as client,
    ):
        await client.initialize(ALL)
        async with client.asking("tools/call", {"name": "ask"}) as stream:
            question = await stream.message()
            withdrawn = await stream.message()
            told = failure(await stream.message())
        assert withdrawn["method"] == "notifications/cancelled"
        assert withdrawn["params"]["requestId"] == question["id"]
        assert told["error_code"] == "CANCELLED"
        assert await client.respond(question, ADA) == 202
