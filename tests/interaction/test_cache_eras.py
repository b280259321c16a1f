"""Answers that were kept, as each kind of client gets them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import orjson
import pytest

from tests.interaction.caching import TOOLS, Library, call, library, tool
from tests.interaction.keys import ask, entry, key_of
from tests.interaction.legacy_wire import legacy_client
from tests.interaction.mesh import Mesh
from tests.interaction.test_sse_clients import INITIALIZE, streaming
from tests.interaction.wire import META, modern, modern_headers, post

pytestmark = pytest.mark.anyio

Ask = Callable[[Mesh], Coroutine[Any, Any, Any]]
PARAMS = {"name": "look", "arguments": {"id": "1"}}
NOTE, SERVER_INFO = "dev.trunkline/call", "io.modelcontextprotocol/serverInfo"


async def by_modern(mesh: Mesh) -> Any:
    return (await call(mesh, "look")).result


async def by_modern_stream(mesh: Mesh) -> Any:
    """Ask for progress as well, of which a kept answer has none to tell."""
    params = PARAMS | {"_meta": META | {"progressToken": "p"}}
    reply = await post(
        mesh.port, modern("tools/call", params), modern_headers("tools/call", "look")
    )
    return reply.result


async def by_legacy(mesh: Mesh) -> Any:
    async with legacy_client(mesh.mcp) as client:
        return (await client.call("look", id="1"))["result"]


async def by_session(mesh: Mesh) -> Any:
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        return (await client.call("look", id="1"))["result"]


async def by_batch(mesh: Mesh) -> Any:
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": PARAMS}
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(version="2025-03-26")
        async with client.posting([message, message | {"id": 8}]) as answered:
            told = await answered.rest() if answered.streams else await answered.json()
    flat = [one for part in told for one in (part if isinstance(part, list) else [part])]
    assert [one["id"] for one in flat] == [7, 8]
    return flat[-1]["result"]


async def by_event_stream(mesh: Mesh) -> Any:
    async with streaming(mesh.url) as stream:
        await stream.ask("initialize", INITIALIZE)
        return (await stream.ask("tools/call", dict(PARAMS)))["result"]


ERAS: dict[str, Ask] = {
    "modern": by_modern,
    "modern_stream": by_modern_stream,
    "legacy": by_legacy,
    "session": by_session,
    "batch": by_batch,
    "event_stream": by_event_stream,
}


@pytest.fixture
async def one() -> AsyncIterator[Library]:
    """One router."""
    async with library() as library_:
        yield library_


@pytest.mark.requirement("cache.eras")
@pytest.mark.parametrize("era", [*ERAS])
async def test_a_hit_says_that_it_is_one(one: Library, era: str) -> None:
    """Where it comes from, how old it is, and the trace of this very call."""
    first = await by_modern(one.one)
    one.clock.advance(12.5)
    hits = [await ERAS[era](one.one) for _ in range(2)]
    assert one.documents.asked["look"] == 1
    for hit in hits:
        note = hit["_meta"][NOTE]
        assert (note["server"], note["source"], note["age_ms"]) == ("github", "cache", 12_500)
    traces = {each["_meta"][NOTE]["trace_id"] for each in (first, *hits)}
    assert len(traces) == 3
    assert all(len(trace) == 32 for trace in traces)


@pytest.mark.requirement("cache.eras")
@pytest.mark.parametrize("era", [*ERAS])
async def test_a_hit_is_what_the_answer_was(one: Library, era: str) -> None:
    """Member for member, whoever asked first: its note alone differs."""
    one.documents.text = 'quotes ", \\ and ünï\u2028code'
    missed = await ERAS[era](one.one)
    for first in ERAS.values():
        await first(one.one)
    hit = await ERAS[era](one.one)
    assert one.documents.asked["look"] == 1
    noted, kept = missed.pop("_meta"), hit.pop("_meta")
    assert hit == missed
    assert {**noted, NOTE: None} == {**kept, NOTE: None}
    assert (hit.get("resultType") == "complete") is era.startswith("modern")
    assert (SERVER_INFO in kept) is era.startswith("modern")
    assert orjson.loads(hit["content"][0]["text"]) == hit["structuredContent"]


@pytest.mark.requirement("cache.eras")
@pytest.mark.parametrize("era", [*ERAS])
async def test_what_a_result_tells_the_router_is_for_the_router(one: Library, era: str) -> None:
    """How it may be used again is nothing that an agent needs, the first time or later."""
    one.documents.told = {"ttl_s": 60, "tags": ["doc:1"]}
    for _ in range(2):
        assert "dev.trunkline/reuse" not in (await ERAS[era](one.one))["_meta"]


@pytest.mark.requirement("cache.eras")
async def test_all_eras_at_once_are_one_read(one: Library) -> None:
    """They wait for the same answer."""
    gate = one.documents.hold("look")
    async with asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(ask_(one.one)) for ask_ in ERAS.values()]
        await gate.asked.wait()
        gate.free.set()
    assert one.documents.asked["look"] == 1
    sources = [each.result()["_meta"][NOTE]["source"] for each in asking]
    assert set(sources) <= {"upstream", "coalesced", "cache"}


@pytest.mark.requirement("cache.eras")
async def test_a_tool_used_after_a_search_is_answered_like_the_tool_itself() -> None:
    """Whether it is called or used: it is the same read, and the same write."""
    finder, plain = entry("finder", tools="search"), entry("plain")
    async with library(configured={"keys": [finder, plain]}) as shared:

        async def use(name: str) -> Any:
            given = {"name": "use_tool", "arguments": {"name": name, "arguments": {"id": "1"}}}
            return (await ask(shared.one, key_of("finder"), "tools/call", given)).result

        assert (await use("look"))["_meta"][NOTE]["source"] == "upstream"
        assert (await use("look"))["_meta"][NOTE]["source"] == "cache"
        assert (await call(shared.one, "look", bearer=key_of("plain"))).source == "cache"
        await use("change")
        hit = await call(shared.one, "look", bearer=key_of("plain"))
        assert (hit.source, hit.version) == ("upstream", 1)


DEFAULTING = [
    *TOOLS,
    tool("list_pulls", needs=["owner"], defaults={"owner": "settings#github_owner"})
    | {"inputSchema": {"type": "object", "properties": {"owner": {"type": "string"}}}},
]
DEFAULTING[-1]["_meta"]["dev.trunkline/policy"]["reads"] = {  # type: ignore[index]  # JSON
    "ttl_s": 60,
    "tags": ["gh:{owner}"],
}


@pytest.mark.requirement("cache.eras")
async def test_an_argument_found_by_the_router_is_the_argument() -> None:
    """Left out or given, it is the same question; another value is another."""
    async with library(
        tools=DEFAULTING, local_defaults=True, github_repository="acme/widgets"
    ) as shared:

        async def listed(**arguments: str) -> str:
            params = {"name": "list_pulls", "arguments": arguments}
            reply = await post(
                shared.one.port,
                modern("tools/call", params),
                modern_headers("tools/call", "list_pulls"),
            )
            return str(reply.result["_meta"][NOTE]["source"])

        assert await listed() == "upstream"
        assert await listed() == "cache"
        assert await listed(owner="acme") == "cache"
        assert await listed(owner="other") == "upstream"
