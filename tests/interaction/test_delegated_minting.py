"""A server that asks in somebody's name mints tokens for less than it was given, never more."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.interaction.contexts import comment_tools, pull_request_tools
from tests.interaction.delegating import SECRET, DelegateTools, delegate, granted, tokens_of
from tests.interaction.keys import ask, ask_legacy, bearing, entry, key_of, read
from tests.interaction.mesh import Mesh, routing
from tests.interaction.reloading import following, key, until
from tests.interaction.upstreams import Json, Scripted, running
from tests.interaction.wire import LEGACY_HEADERS, Reply, head, legacy, post, send
from tests.standing_clock import StandingClock
from trunkline_router.access.job_tokens import Grant
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

AGENT = entry("agent", bind={"owner": "acme"})
ONE_TOOL = {"tools": ["mcp__github_ci__get_ci"], "ttl_s": 60}
NOTE = {"uri": "note://1"}


@dataclass(frozen=True, kw_only=True)
class Lent:
    """A router before the bridge and two servers; `token` is what a call to the bridge was lent."""

    mesh: Mesh
    comment: Scripted
    ci: Scripted
    token: str

    async def contexts(self, shown: str | None, **asked: object) -> Reply:
        """Ask for a token."""
        return await minting(self.mesh, shown, asked)

    async def minted(self, shown: str, **asked: object) -> str:
        reply = await self.contexts(shown, **asked)
        assert reply.status == 201, reply.body
        return str(reply.json["token"])

    def grant(self, token: str) -> Grant:
        grant = tokens_of(self.mesh).read(token)
        assert grant is not None
        return grant

    async def names(self, token: str) -> set[str]:
        return {each["name"] for each in (await ask(self.mesh, token)).result["tools"]}


async def minting(mesh: Mesh, shown: str | None, asked: object) -> Reply:
    raw = orjson.dumps(asked)
    headers = {"Content-Type": "application/json"} | bearing(shown)
    return await send(mesh.port, head(raw, headers, port=mesh.port, path="/contexts") + raw)


@asynccontextmanager
async def servers() -> AsyncIterator[tuple[dict[str, str], Scripted, Scripted, DelegateTools]]:
    """Run the bridge, which calls back, and two servers with things of their own."""
    comment = Scripted(
        tools=comment_tools(),
        resources=[{"uri": "note://1", "name": "note"}],
        prompts=[{"name": "ask"}],
    )
    ci = Scripted(tools=pull_request_tools("get_ci", "rerun"))
    async with AsyncExitStack() as stack:
        server, tools = await stack.enter_async_context(delegate())
        urls = {
            "bridge": await stack.enter_async_context(serving(server)),
            "github_comment": await stack.enter_async_context(running(comment)),
            "github_ci": await stack.enter_async_context(running(ci)),
        }
        yield urls, comment, ci, tools


async def lent(mesh: Mesh, shown: str, tools: DelegateTools) -> str:
    """Call the bridge, and return the token that it was lent for that."""
    reply = await ask(mesh, shown, "tools/call", {"name": "dive", "arguments": {}})
    assert reply.result["isError"] is False
    return tools.tokens[0]


@pytest.fixture
async def here() -> AsyncIterator[Lent]:
    """A token that was lent in the name of a key with the scope `tools` alone."""
    async with (
        servers() as (urls, comment, ci, tools),
        routing(urls, configured={"keys": [AGENT]}, secret=SECRET) as mesh,
    ):
        token = await lent(mesh, key_of("agent"), tools)
        yield Lent(mesh=mesh, comment=comment, ci=ci, token=token)


@pytest.mark.requirement("bridge.narrower-token")
async def test_a_delegate_may_mint_where_its_caller_may_not(here: Lent) -> None:
    """The key lacks the scope `contexts`; a token with a depth needs none."""
    assert (await here.contexts(key_of("agent"), **ONE_TOOL)).status == 403
    assert (await here.contexts(None, **ONE_TOOL)).status == 401
    reply = await here.contexts(here.token, **ONE_TOOL)
    assert reply.status == 201
    parent, child = here.grant(here.token), here.grant(reply.json["token"])
    assert (child.depth, child.key, child.mark) == (1, parent.key, parent.mark)
    assert child.scopes == {"tools"}
    assert child.context == parent.context


@pytest.mark.requirement("bridge.narrower-token")
async def test_a_token_for_one_tool_calls_nothing_else(here: Lent) -> None:
    """In both eras: its list is that tool, every other name is unknown, the tool itself works."""
    token = await here.minted(here.token, **ONE_TOOL, bind={"repo": "widgets", "pr_number": 12})
    old = await ask_legacy(here.mesh, token)
    assert await here.names(token) == {each["name"] for each in old.result["tools"]} == {"get_ci"}
    for name in ("rerun", "list_comments", "create_comment", "ask", "dive", "get_wiki"):
        call: Json = {"name": name, "arguments": {}}
        assert (await ask(here.mesh, token, "tools/call", call)).error["code"] == -32602
        headers = LEGACY_HEADERS | bearing(token)
        older = await post(here.mesh.port, legacy("tools/call", call), headers)
        assert older.error["code"] == -32602
    assert not here.comment.calls
    assert not here.ci.calls
    works = await ask(here.mesh, token, "tools/call", {"name": "get_ci", "arguments": {}})
    assert works.result["isError"] is False
    sent = here.ci.calls[-1]["params"]
    assert isinstance(sent, dict)
    assert sent["arguments"] == {"owner": "acme", "repo": "widgets", "pr_number": 12}


@pytest.mark.requirement("bridge.narrower-token")
async def test_it_reads_nothing_of_another_server(here: Lent) -> None:
    """Neither resources nor prompts, by the shared path or the server's own; nor any page."""
    token = await here.minted(here.token, **ONE_TOOL)
    assert (await ask(here.mesh, here.token, "resources/read", NOTE)).status == 200
    read_before = len(here.comment.calls)
    for method, params in (("resources/read", NOTE), ("prompts/get", {"name": "ask"})):
        assert "result" not in (await ask(here.mesh, token, method, params)).json
        headers = LEGACY_HEADERS | bearing(token)
        assert "result" not in (await post(here.mesh.port, legacy(method, params), headers)).json
    for method, found in (("resources/list", "resources"), ("prompts/list", "prompts")):
        assert (await ask(here.mesh, token, method)).result[found] == []
    assert (await ask(here.mesh, token, path="/servers/github_comment/mcp")).status == 404
    assert len(here.comment.calls) == read_before
    for page in ("/status", "/api/cache", "/api/traces", "/api/audit"):
        assert (await read(here.mesh, token, page)).status == 403


@pytest.mark.requirement("bridge.narrower-token")
async def test_a_minted_token_mints_no_wider_one(here: Lent) -> None:
    """Whatever it asks for: tools, bindings, time; more scopes than it has are refused."""
    narrow = await here.minted(here.token, **ONE_TOOL, bind={"repo": "widgets", "pr_number": 12})
    again = await here.minted(narrow, tools=["*"], ttl_s=86_400)
    assert await here.names(again) == {"get_ci"}
    assert here.grant(again).depth == 1
    assert here.grant(again).context == here.grant(narrow).context
    assert here.grant(again).expires <= here.grant(narrow).expires + 0.01
    assert await here.names(await here.minted(narrow, tools=["mcp__github_comment__*"])) == set()
    assert (await here.contexts(narrow, bind={"pr_number": 13})).status == 403
    assert (await here.contexts(narrow, bind={"owner": "evil"})).status == 403
    assert (await here.contexts(narrow, scopes=["tools", "observe"])).status == 403
    assert (await here.contexts(narrow, scopes=["admin"])).status == 400
    assert (await here.contexts(narrow, scopes=["contexts"])).status == 400


@pytest.mark.requirement("bridge.narrower-token")
async def test_it_ends_with_the_call_that_it_was_minted_in() -> None:
    """However long it was asked for, and both at the same moment."""
    clock = StandingClock()
    async with (
        running(Scripted()) as url,
        routing({"bridge": url}, clock=clock, secret=SECRET) as mesh,
    ):
        parent = replace(granted(), expires=clock.now() + 60)
        token = tokens_of(mesh, clock=clock).minted(parent)
        reply = await minting(mesh, token, {"ttl_s": 3600})
        child = str(reply.json["token"])
        held = tokens_of(mesh, clock=clock).read(child)
        assert held is not None
        assert held.expires <= parent.expires
        assert (await ask(mesh, child)).status == 200
        clock.advance(60.5)
        for ended in (child, token):
            assert (await ask(mesh, ended)).status == 401
            assert (await minting(mesh, ended, {})).status == 401


@pytest.mark.requirement("bridge.narrower-token")
async def test_it_ends_when_its_callers_key_is_revoked(tmp_path: Path) -> None:
    """From the next request on: no list, no call, no further token."""
    keys = [key("one"), key("two")]
    async with servers() as (urls, _, ci, tools):
        given: dict[str, Any] = {
            "server_urls": {server: f"{url}/mcp" for server, url in urls.items()}
        }
        async with following(tmp_path / "t.yaml", {"keys": keys}, **given) as router:
            parent = await lent(router.mesh, key_of("one", "one"), tools)
            reply = await minting(router.mesh, parent, ONE_TOOL)
            child = str(reply.json["token"])
            assert (await ask(router.mesh, child)).status == 200
            router.write({"keys": keys[1:]})

            async def revoked() -> bool:
                return (await ask(router.mesh, key_of("one", "one"))).status == 401

            await until(revoked)
            call = {"name": "get_ci", "arguments": {}}
            assert (await ask(router.mesh, child, "tools/call", call)).status == 401
            assert (await minting(router.mesh, child, {})).status == 401
            assert (await minting(router.mesh, parent, {})).status == 401
    assert not ci.calls
