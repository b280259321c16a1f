"""Tools found by searching: two definitions in place of all, and everything else as before."""

from typing import Any

import orjson
import pytest

from tests.interaction.keys import ask, bearing, entry, key_of
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from tests.interaction.upstreams import Json, Scripted, running, tool
from tests.interaction.wire import Reply, failure, legacy, post
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

KEYS = {
    "keys": [
        entry("finder", tools="search"),
        entry("reader", tools="search", deny=["*__forbidden_thing"]),
        entry("plain"),
    ]
}
OFFER = [
    tool("list_pull_requests") | {"description": "List the pull requests of a repository."},
    tool("getCIStatus") | {"description": "Which checks fail on a commit."},
    tool("write", read_only=False) | {"description": "Write a page of the wiki."},
    tool("forbidden_thing") | {"description": "A thing that few may see."},
]


async def call(mesh: Mesh, name: str, arguments: object, key: str = "finder") -> Reply:
    params = {"name": name, "arguments": arguments}
    return await ask(mesh, key_of(key), "tools/call", params)


async def search(mesh: Mesh, query: str, key: str = "finder", **more: object) -> Any:
    reply = await call(mesh, "search_tools", {"query": query, **more}, key)
    return orjson.loads(reply.result["content"][0]["text"])


@pytest.mark.requirement("gateway.search")
async def test_the_list_holds_two_tools_and_the_instructions_say_how() -> None:
    """clients.md 10: whoever cannot defer definitions need not pay for them; others see all."""
    async with (
        running(Scripted(tools=OFFER)) as url,
        routing({"a": url}, configured=KEYS) as mesh,
    ):
        listed = (await ask(mesh, key_of("finder"), "tools/list")).result["tools"]
        everything = (await ask(mesh, key_of("plain"), "tools/list")).result["tools"]
        told = (await ask(mesh, key_of("finder"), "server/discover")).result["instructions"]
    assert [each["name"] for each in listed] == ["search_tools", "use_tool"]
    assert [each["annotations"]["readOnlyHint"] for each in listed] == [True, False]
    assert len(everything) == len(OFFER)
    assert "Find tools with search_tools, then call one with use_tool." in told
    assert len(orjson.dumps(listed)) < 1600


@pytest.mark.requirement("gateway.search")
@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("pull request", "list_pull_requests"),
        ("ci status", "getCIStatus"),
        ("failing check", "getCIStatus"),
        ("WRITING wiki pages!", "write"),
    ],
)
async def test_names_are_found_by_the_words_in_them(query: str, best: str) -> None:
    """Snake case, camel case and word stems; the answer holds what a call needs."""
    async with (
        running(Scripted(tools=OFFER)) as url,
        routing({"a": url}, configured=KEYS) as mesh,
    ):
        first = (await search(mesh, query))["tools"][0]
    assert first["name"] == best
    assert first["inputSchema"] == {"type": "object"}
    assert first["description"]


@pytest.mark.requirement("gateway.search")
async def test_a_tool_is_used_as_if_it_had_been_called_directly() -> None:
    """Same server, same arguments, same span, same policy; by either name."""
    server = Scripted(tools=OFFER)
    async with running(server) as url, routing({"a": url}, configured=KEYS) as mesh:
        used = await call(mesh, "use_tool", {"name": "write", "arguments": {"page": 1}})
        direct = await call(mesh, "write", {"page": 1})
        as_text = await call(mesh, "use_tool", {"name": "write", "arguments": '{"page": 1}'})
    assert [reply.result["isError"] for reply in (used, direct, as_text)] == [False] * 3
    sent = [call["params"] for call in server.calls]
    assert all(isinstance(each, dict) and each["name"] == "write" for each in sent)
    assert [each["arguments"] for each in sent if isinstance(each, dict)] == [{"page": 1}] * 3
    named = [span.name for span in mesh.spans if span.parent_id == 0]
    assert named.count("tools/call write") == 3


@pytest.mark.requirement("gateway.search")
async def test_nobody_finds_or_uses_what_he_may_not_see() -> None:
    """Rights are those of the tool itself."""
    async with (
        running(Scripted(tools=OFFER)) as url,
        routing({"a": url}, configured=KEYS) as mesh,
    ):
        assert (await search(mesh, "forbidden thing", "reader"))["tools"] == []
        refused = await call(mesh, "use_tool", {"name": "forbidden_thing"}, "reader")
        assert (await search(mesh, "forbidden thing"))["tools"][0]["name"] == "forbidden_thing"
    assert refused.error["code"] == -32602


@pytest.mark.requirement("gateway.search")
async def test_a_context_binds_what_is_found_and_used() -> None:
    """Bound parameters are in no schema that is found, and in every call."""
    schema: Json = {
        "type": "object",
        "properties": {"pr_number": {"type": "integer"}, "body": {"type": "string"}},
        "required": ["pr_number", "body"],
    }
    server = Scripted(tools=[tool("note", read_only=False) | {"inputSchema": schema}])
    async with running(server) as url, routing({"a": url}, configured=KEYS) as mesh:
        params = {"name": "search_tools", "arguments": {"query": "note"}}
        reply = await ask(mesh, key_of("finder"), "tools/call", params, path="/mcp?pr_number=12")
        found = orjson.loads(reply.result["content"][0]["text"])["tools"][0]
        use = {"name": "use_tool", "arguments": {"name": "note", "arguments": {"body": "x"}}}
        await ask(mesh, key_of("finder"), "tools/call", use, path="/mcp?pr_number=12")
    assert list(found["inputSchema"]["properties"]) == ["body"]
    sent = server.calls[-1]["params"]
    assert isinstance(sent, dict)
    assert sent["arguments"] == {"body": "x", "pr_number": 12}


@pytest.mark.requirement("gateway.search")
@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("search_tools", {}, "query"),
        ("search_tools", {"query": "  "}, "query"),
        ("search_tools", {"query": "x", "limit": 99}, "limit"),
        ("use_tool", {}, "name"),
        ("use_tool", {"name": "use_tool"}, "name"),
        ("use_tool", {"name": "write", "arguments": [1]}, "arguments"),
        ("use_tool", [], "arguments"),
    ],
)
async def test_bad_arguments_are_named(name: str, arguments: object, field: str) -> None:
    """INVALID_INPUT, as with any tool."""
    async with (
        running(Scripted(tools=OFFER)) as url,
        routing({"a": url}, configured=KEYS) as mesh,
    ):
        told = failure(await call(mesh, name, arguments))
    assert told["error_code"] == "INVALID_INPUT"
    assert told["details"]["field_errors"][0]["field"] == field


@pytest.mark.requirement("gateway.search")
@pytest.mark.parametrize("query", ['"', "*", "a AND", "NEAR(", "name:x", "ü", "日本", "x" * 5000])
async def test_no_query_breaks_the_index(query: str) -> None:
    """Whatever is asked is words to the index, and nothing found is an answer with a hint."""
    async with (
        running(Scripted(tools=OFFER)) as url,
        routing({"a": url}, configured=KEYS) as mesh,
    ):
        answer = await search(mesh, query)
    assert isinstance(answer["tools"], list)
    assert answer["tools"] or "try other words" in answer["hint"]


@pytest.mark.requirement("gateway.search")
async def test_a_url_may_ask_for_it_too() -> None:
    """Beside a context, for whoever has no key; nothing else is taken for it."""
    async with running(Scripted(tools=OFFER)) as url, routing({"a": url}) as mesh:
        for path in ("/mcp?tools=search", "/mcp?owner=acme&tools=search&repo=widgets"):
            listed = (await ask(mesh, None, path=path)).result["tools"]
            assert [each["name"] for each in listed] == ["search_tools", "use_tool"]
        assert (await ask(mesh, None, path="/mcp?tools=all")).status == 400


@pytest.mark.requirement("gateway.search")
async def test_what_is_new_is_found_and_progress_arrives_through_use() -> None:
    """The index follows the catalogue; a used tool streams as any other does."""
    async with (
        serving(sample_server(SampleTools())) as url,
        routing({"a": url}, configured=KEYS) as mesh,
    ):
        assert (await search(mesh, "say again"))["tools"][0]["name"] == "echo"
        headers = bearing(key_of("finder"))
        params = {
            "name": "use_tool",
            "arguments": {"name": "count", "arguments": {"steps": 2}},
            "_meta": {"progressToken": 1},
        }
        body = legacy("tools/call", params)
        reply = await post(mesh.port, body, _LEGACY | headers)
    assert reply.body.count(b"notifications/progress") == 2


_LEGACY = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}
