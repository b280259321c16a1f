"""What the whole mesh offers, in one bounded answer."""

import asyncio
import json

import pytest
from aiohttp import web

from tests.interaction.capability_mesh import capability_mesh
from tests.interaction.guarding import Mood, calls, sick
from tests.interaction.upstreams import Json, Scripted, running, tool

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("bridge.catalog")
async def test_servers_come_with_all_that_they_offer_in_a_stable_order() -> None:
    """Tools with annotations, resources, templates, prompts, health; schemas when asked for."""
    async with capability_mesh() as mesh:
        listed = await mesh.answer("list_capabilities", server="sample")
        again = await mesh.raw("list_capabilities")
        assert (await mesh.raw("list_capabilities")).result["content"] == again.result["content"]
        full = await mesh.answer("list_capabilities", server="sample", include_schemas=True)
        wrong = await mesh.refused("list_capabilities", server="sampel")
    (sample,) = listed["servers"]
    assert (sample["available"], sample["state"]) == (True, "closed")
    assert sample["description"] == "Samples for tests."
    echo = sample["tools"][0]
    assert echo["name"] == "echo"
    assert echo["annotations"]["readOnlyHint"] is True
    assert "inputSchema" not in echo
    assert full["servers"][0]["tools"][0]["inputSchema"]["required"] == ["text"]
    assert [one["uri"] for one in sample["resources"]] == ["sample://fixed"]
    assert [one["uri"] for one in sample["templates"]] == ["sample://item/{number}"]
    assert [one["name"] for one in sample["prompts"]] == ["greet"]
    assert "note" not in listed
    assert (wrong["error_code"], wrong["hint"]) == ("INVALID_INPUT", "Did you mean 'sample'?")


@pytest.mark.requirement("bridge.catalog")
async def test_words_narrow_the_list() -> None:
    """All of them, anywhere in the server's name, the entry's, or its description."""
    async with capability_mesh() as mesh:
        found = await mesh.answer("list_capabilities", query="REPORT progress")
        nothing = await mesh.answer("list_capabilities", query="report nonsense")
        whole = await mesh.answer("list_capabilities", query="sample fixed")
    assert [one["name"] for server in found["servers"] for one in server["tools"]] == ["count"]
    assert nothing["servers"] == []
    assert [one["name"] for one in whole["servers"][0]["resources"]] == ["fixed"]


@pytest.mark.requirement("bridge.catalog")
async def test_a_server_that_is_not_well_costs_its_own_entry_alone() -> None:
    """What was known of it is still told, with why it does not answer now."""
    mood = Mood(error=sick())
    async with (
        running(Scripted(answer=mood)) as url,
        capability_mesh({"ill": url, "away": "http://127.0.0.1:9"}, settled=True) as mesh,
    ):
        await calls(mesh.router, "act", 3)
        listed = {one["name"]: one for one in (await mesh.answer("list_capabilities"))["servers"]}
    assert set(listed) == {"away", "bridge", "ill", "sample"}
    assert (listed["ill"]["error_code"], listed["ill"]["state"]) == ("CIRCUIT_OPEN", "open")
    assert [one["name"] for one in listed["ill"]["tools"]] == ["act", "write"]
    assert listed["away"]["error_code"] in {"UPSTREAM_UNAVAILABLE", "CIRCUIT_OPEN"}
    assert listed["away"]["tools"] == []
    assert "error_code" not in listed["sample"]


@pytest.mark.requirement("bridge.catalog")
async def test_a_server_with_a_thousand_tools_leaves_room_for_the_others() -> None:
    """The answer is bounded, and counts what it leaves out."""
    many = [tool(f"tool_{number:04}") | {"description": "x" * 900} for number in range(1000)]
    async with (
        running(Scripted(tools=many, page=300)) as url,
        capability_mesh({"huge": url}) as mesh,
    ):
        reply = await mesh.raw("list_capabilities")
        found = await mesh.answer("list_capabilities", query="tool_0999")
    listed = reply.result["structuredContent"]
    huge = listed["servers"][1]
    assert len(json.dumps(listed)) < 60_000
    assert huge["left_out"]["tools"] + len(huge["tools"]) == 1000
    assert [one["name"] for one in listed["servers"]] == ["bridge", "huge", "sample"]
    assert listed["servers"][2]["tools"]
    assert "query" in listed["note"]
    assert [one["name"] for one in found["servers"][0]["tools"]] == ["tool_0999"]


@pytest.mark.requirement("bridge.catalog")
async def test_texts_of_strangers_are_sanitised_in_schemas_too() -> None:
    """What cannot be seen is not passed on."""
    hidden = "Say\u200b it\u202e.\U000e0041"
    foreign: Json = tool("act") | {
        "description": hidden,
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "string", "description": hidden}},
        },
    }
    async with running(Scripted(tools=[foreign])) as url, capability_mesh({"far": url}) as mesh:
        reply = await mesh.raw("list_capabilities", None, server="far", include_schemas=True)
    (act,) = reply.result["structuredContent"]["servers"][0]["tools"]
    assert act["description"] == "Say it."
    assert act["inputSchema"]["properties"]["a"]["description"] == "Say it."


@pytest.mark.requirement("bridge.catalog")
async def test_no_server_is_asked_to_list_what_the_mesh_offers() -> None:
    """The router knows it: one that hangs holds nobody up."""

    async def never(http: web.Request, request: Json) -> web.StreamResponse:
        await asyncio.Event().wait()
        return web.Response()

    server = Scripted(answer=never)
    async with (
        asyncio.timeout(10),
        running(server) as url,
        capability_mesh({"slow": url}) as mesh,
    ):
        lists = server.lists
        listed = await mesh.answer("list_capabilities", server="slow")
        assert server.lists == lists
    assert [one["name"] for one in listed["servers"][0]["tools"]] == ["act", "write"]
