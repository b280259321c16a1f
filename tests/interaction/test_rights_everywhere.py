"""Rights hold wherever tools are reached: subscribing, searching, delegating, defaults."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from tests.interaction import keys
from tests.interaction.contexts import comment_tools, declared
from tests.interaction.delegating import SECRET, DelegateTools, delegate
from tests.interaction.mesh import Mesh, routing
from tests.interaction.ruled import Ruled, ruled
from tests.interaction.upstreams import Json, Scripted, result, running
from tests.interaction.wire import Reply, failure, head, modern, modern_headers
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

ONLY_CI = keys.entry("only-ci", allow=["mcp__github_ci__*"])
SEARCHER = keys.entry("searcher", allow=["mcp__github_ci__*"], tools="search")


@pytest.fixture
async def here() -> AsyncIterator[Ruled]:
    """A router that knows these keys."""
    async with ruled(ONLY_CI, SEARCHER) as made:
        yield made


@pytest.mark.requirement("gateway.rights-servers")
async def test_nobody_subscribes_to_what_is_not_there_for_him(here: Ruled) -> None:
    """The acknowledgement leaves it out, as it does with a URI that nobody has."""
    asked: Json = {"resourceSubscriptions": ["note://1", "none://1"], "toolsListChanged": True}
    body = modern("subscriptions/listen", {"notifications": asked})
    headers = modern_headers("subscriptions/listen") | keys.bearing(keys.key_of("only-ci"))
    port = here.mesh.port
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(head(body, headers, port=port) + body)
            block = b""
            while b"data: " not in block:
                block = await reader.readuntil(b"\n\n")
        finally:
            writer.close()
    told = orjson.loads(block.partition(b"data: ")[2])
    assert told["params"]["notifications"] == {"toolsListChanged": True}


@pytest.mark.requirement("gateway.rights")
async def test_a_search_finds_and_uses_permitted_tools_only(here: Ruled) -> None:
    """What the key may not call is neither found nor used through the search."""
    assert await here.names("searcher") == {"search_tools", "use_tool"}
    found = await here.call("searcher", "search_tools", query="create a comment label")
    assert "create_comment" not in found.body.decode()
    used = await here.call("searcher", "use_tool", name="create_comment", arguments={"body": "x"})
    assert "error" in used.json or used.result["isError"] is True
    assert not here.comment.calls
    done = await here.call("searcher", "use_tool", name="get_ci", arguments={"pr_number": 1})
    assert done.result["isError"] is False


@dataclass(frozen=True, kw_only=True)
class Delegating:
    """A router before the delegate (`twig`) and the comment server."""

    mesh: Mesh
    tools: DelegateTools
    comment: Scripted

    async def call(self, key: str, name: str, /, **arguments: object) -> Reply:
        params: Json = {"name": name, "arguments": arguments}
        return await keys.ask(self.mesh, keys.key_of(key), "tools/call", params)


async def branch(_: object, request: Json) -> Any:
    """Answer any call with a branch."""
    told = {"pr_number": 12, "branch": "topic"}
    return result(request, {"content": [], "structuredContent": told, "isError": False})


@asynccontextmanager
async def delegating(*entries: Json, **settings: Any) -> AsyncIterator[Delegating]:
    async with AsyncExitStack() as stack:
        server, tools = await stack.enter_async_context(delegate())
        comment = Scripted(tools=comment_tools(), answer=branch)
        urls = {
            "twig": await stack.enter_async_context(serving(server)),
            "github_comment": await stack.enter_async_context(running(comment)),
        }
        configured = {"keys": list(entries)}
        mesh = await stack.enter_async_context(
            routing(urls, configured=configured, secret=SECRET, **settings)
        )
        yield Delegating(mesh=mesh, tools=tools, comment=comment)


@pytest.mark.requirement("router.delegation-narrow")
async def test_a_server_that_asks_for_a_caller_may_call_what_the_caller_may() -> None:
    """Globs, deny, toolsets and the key's limits go along; the token ends with the key's rights."""
    narrow = keys.entry(
        "narrow", allow=["mcp__twig__*", "mcp__*__list_*"], deny=["mcp__*__update_*"]
    )
    limited = keys.entry("limited", rate={"per_minute": 2})
    async with delegating(narrow, limited) as here:
        reading: Json = {"name": "list_comments", "arguments": {"issue_number": 1}}
        done = await here.call("narrow", "ask", **reading)
        assert done.result["isError"] is False
        writing: Json = {"name": "create_comment", "arguments": {"issue_number": 1, "body": "x"}}
        refused = failure(await here.call("narrow", "ask", **writing))
        assert refused["error_code"] == "UNSUPPORTED"
        assert len(here.comment.calls) == 1
        assert (await here.call("limited", "ask", **reading)).result["isError"] is False
        spent = failure(await here.call("limited", "ask", **reading))
        assert spent["error_code"] == "RATE_LIMITED"


@pytest.mark.requirement("gateway.rights")
async def test_a_default_is_not_taken_from_a_tool_that_the_caller_may_not_call() -> None:
    """What the branch is, only those learn who may ask for the branch."""
    policy = {"needs": ["branch"], "defaults": {"branch": "twig.get_current_branch#branch"}}
    read = declared("read", {"branch": {"type": "string"}}, policy=policy)
    twig = Scripted(tools=[declared("get_current_branch", {})], answer=branch)
    ci = Scripted(tools=[read])
    entries = [keys.entry("all"), keys.entry("no-twig", deny=["mcp__twig__*"])]
    async with (
        running(twig) as one,
        running(ci) as two,
        routing(
            {"twig": one, "github_ci": two}, configured={"keys": entries}, local_defaults=True
        ) as mesh,
    ):
        sent = []
        for key in ("all", "no-twig"):
            call: Json = {"name": "read", "arguments": {}}
            await keys.ask(mesh, keys.key_of(key), "tools/call", call)
            params = ci.calls[-1]["params"]
            assert isinstance(params, dict)
            sent.append(params["arguments"])
    assert sent == [{"branch": "topic"}, {}]
