"""Tools of servers that nobody here wrote, offered to the caller's own model."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import pytest
from aiohttp import web
from mcp_types import ToolUseContent

from tests.interaction.sampling import said, sampling, says
from tests.interaction.upstreams import Json, Scripted, result, running, tool

pytestmark = pytest.mark.anyio

LONG = "read." + "very_" * 16 + "long"


def scripted(answer: Mapping[str, object], *tools: Json) -> Scripted:
    """Return a server of these tools whose calls all have one answer."""

    async def answered(http: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"resultType": "complete", **answer})

    return Scripted(tools=list(tools), answer=answered, page=1)


def wants(name: str, number: str = "1", **given: object) -> Any:
    """Return a model's wish for a tool, by the name that it was shown."""
    block = ToolUseContent(name=name, id=number, input=given)
    return said([block], stop_reason="toolUse")


@pytest.mark.requirement("bridge.sampling-tools")
async def test_a_name_that_no_model_may_write_is_shown_as_another() -> None:
    """And leads to the tool by its own; lists are read to their last page, in a stable order."""
    wiki = scripted({"content": [{"type": "text", "text": "found"}]}, tool(LONG), tool("a"))
    shown: list[str] = []

    async def first(asked: Any) -> Any:
        shown.extend(one.name for one in asked.tools)
        return wants(shown[1], page=3)

    async with (
        asyncio.timeout(10),
        running(wiki) as url,
        sampling(others={"wiki": url}) as mesh,
        mesh.client(first, says("Done.")) as asker,
    ):
        answer = await asker.query(tools=["mcp__wiki__*"])
    assert shown[0] == "mcp__wiki__a"
    assert re.fullmatch(r"mcp__wiki__read_very_[a-z0-9_]{1,43}", shown[1])
    assert [call["ok"] for call in answer["tool_calls"]] == [True]
    params = wiki.calls[-1]["params"]
    assert isinstance(params, dict)
    assert (params["name"], params["arguments"]) == (LONG, {"page": 3})
    assert asker.model.told(2) == ["found"]


@pytest.mark.requirement("bridge.sampling-hostile")
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"content": [{"type": "text", "text": "No."}], "isError": True}, "UPSTREAM_UNAVAILABLE"),
        ({"resultType": "input_required", "requestState": "s"}, "UNSUPPORTED"),
        ({"content": None}, None),
    ],
)
async def test_whatever_a_server_answers_the_model_hears_of_it(
    answer: Mapping[str, object], code: str | None
) -> None:
    """An error of its own, a question that nobody can answer, or nothing."""
    wiki = scripted(answer, tool("a"))
    async with (
        asyncio.timeout(10),
        running(wiki) as url,
        sampling(others={"wiki": url}) as mesh,
        mesh.client(wants("mcp__wiki__a"), says("Done.")) as asker,
    ):
        found = await asker.query(tools=["mcp__wiki__a"])
    (call,) = found["tool_calls"]
    assert call["error_code"] == code
    assert bool(asker.model.results(2)[0].is_error) is (code is not None)
