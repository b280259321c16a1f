"""What is never answered from what was kept, by tests that try."""

from collections.abc import AsyncIterator, Mapping

import orjson
import pytest
from aiohttp import web

from tests.interaction.caching import (
    TOOLS,
    Documents,
    Library,
    Seen,
    call,
    library,
    reads,
    tool,
    versions,
)
from tests.interaction.keys import bearing, entry, key_of
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Json, Scripted, result, running
from tests.interaction.wire import modern, modern_headers, post
from trunkline_shared import wire
from trunkline_shared.errors import NotFound

pytestmark = pytest.mark.anyio


@pytest.fixture
async def one() -> AsyncIterator[Library]:
    """One router."""
    async with library() as library_:
        yield library_


async def not_found(_: web.Request, request: Json) -> web.StreamResponse:
    return result(request, wire.to_result(NotFound("There is no such document.")))


async def refused(_: web.Request, request: Json) -> web.StreamResponse:
    told = {"code": -32602, "message": "no"}
    return web.json_response({"jsonrpc": "2.0", "id": request["id"], "error": told})


async def asks(_: web.Request, request: Json) -> web.StreamResponse:
    asked = {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": "Which?", "requestedSchema": {"type": "object"}},
    }
    answer: Json = {
        "resultType": "input_required",
        "inputRequests": {"which": asked},
        "requestState": "s",
    }
    return result(request, answer)


@pytest.mark.requirement("cache.never-errors")
@pytest.mark.parametrize("failing", [not_found, refused])
async def test_errors_are_not_kept(one: Library, failing: object) -> None:
    """Neither a tool's own nor the protocol's: the next reader may be luckier."""
    assert callable(failing)
    one.documents.mood = failing
    for _ in range(3):
        reply = (await call(one.one, "look")).reply
        assert "error" in reply.json or reply.result["isError"] is True
    one.documents.mood = None
    assert await versions(one.one, "look", 2) == [("upstream", 0), ("cache", 0)]
    assert one.documents.asked["look"] == 4


@pytest.mark.requirement("cache.never-continuations")
async def test_a_question_back_is_not_kept(one: Library) -> None:
    """Who asks the same is asked himself."""
    one.documents.mood = asks
    for _ in range(2):
        assert (await call(one.one, "look")).result["resultType"] == "input_required"
    assert one.documents.asked["look"] == 2


@pytest.mark.requirement("cache.never-continuations")
@pytest.mark.parametrize(
    "more",
    [{"inputResponses": {"which": {"action": "accept"}}}, {"requestState": "s"}],
    ids=["inputResponses", "requestState"],
)
async def test_a_continuation_is_neither_kept_nor_answered(
    one: Library, more: Mapping[str, object]
) -> None:
    """It goes to the server each time, though the same was asked without it and is kept."""
    await versions(one.one, "look", 2)
    params = {"name": "look", "arguments": {"id": "1"}, **more}
    for _ in range(2):
        body = modern("tools/call", params)
        reply = await post(one.one.port, body, modern_headers("tools/call", "look"))
        assert Seen(reply=reply).source == "upstream"
    assert one.documents.asked["look"] == 3


@pytest.mark.requirement("cache.only-declared")
@pytest.mark.parametrize("name", ["look_unkept", "look_for_once"])
async def test_only_what_a_tool_declares_is_kept(one: Library, name: str) -> None:
    """A read that declares nothing, or no time, is asked each time."""
    assert [source for source, _ in await versions(one.one, name, 3)] == ["upstream"] * 3


@pytest.mark.requirement("cache.only-declared")
@pytest.mark.parametrize("told", [{"no_store": True}, {"ttl_s": 0}])
async def test_an_answer_may_say_that_it_is_not_to_be_kept(one: Library, told: Json) -> None:
    """Its tool would have it kept."""
    one.documents.told = told
    assert [source for source, _ in await versions(one.one, "look", 3)] == ["upstream"] * 3


@pytest.mark.requirement("cache.only-declared")
async def test_an_answer_that_says_nonsense_of_itself_is_not_kept(one: Library) -> None:
    """It is given to the one who asked, and that is all."""
    one.documents.told = {"ttl_s": "long"}
    assert [source for source, _ in await versions(one.one, "look", 2)] == ["upstream"] * 2


@pytest.mark.requirement("cache.failed-writes")
async def test_a_write_that_says_nonsense_of_itself_counts_all_the_same(one: Library) -> None:
    """Its answer reaches the agent, and what it changed is read anew."""
    await versions(one.one, "look", 2)
    one.documents.told = {"tags": 7}
    assert not (await call(one.one, "change")).failed
    one.documents.told = None
    assert await versions(one.one, "look", 1) == [("upstream", 1)]


@pytest.mark.requirement("cache.foreign-servers")
async def test_a_foreign_server_cannot_declare_itself_kept() -> None:
    """What it says of its own tools is not believed: only the configuration is."""
    async with library(server="wiki") as wiki:
        assert [source for source, _ in await versions(wiki.one, "look", 3)] == ["upstream"] * 3


@pytest.mark.requirement("cache.foreign-servers")
async def test_a_foreign_server_is_kept_as_the_configuration_says() -> None:
    """And a tool of it that is not read-only spoils all that is kept of its server."""
    policy = {"look": {"reads": reads("wiki:{id}")}}
    async with library(server="wiki", entry={"policy": policy}) as wiki:
        assert await versions(wiki.one, "look", 2) == [("upstream", 0), ("cache", 0)]
        await call(wiki.one, "change")
        assert await versions(wiki.one, "look", 1) == [("upstream", 1)]


@pytest.mark.requirement("cache.foreign-servers")
async def test_what_a_foreign_answer_says_of_itself_is_not_believed() -> None:
    """It can neither widen nor shorten how long it is kept, nor name tags of others."""
    policy = {"look": {"reads": reads("wiki:{id}", ttl_s=20, stale_s=0)}}
    async with library(server="wiki", entry={"policy": policy}) as wiki:
        wiki.documents.told = {"immutable": True, "tags": ["gh:acme/widgets"]}
        assert await versions(wiki.one, "look", 2) == [("upstream", 0), ("cache", 0)]
        wiki.clock.advance(21)
        assert await versions(wiki.one, "look", 1) == [("upstream", 0)]


KEYS = [entry("alice"), entry("bob")]
ALICE, BOB = key_of("alice"), key_of("bob")


@pytest.mark.requirement("cache.audience")
async def test_callers_share_what_the_mesh_may_see() -> None:
    """The mesh's own credential produced it: all agents that may call the tool have it."""
    async with library(configured={"keys": KEYS}) as shared:
        assert (await call(shared.one, "look", bearer=ALICE)).source == "upstream"
        assert (await call(shared.one, "look", bearer=BOB)).source == "cache"


@pytest.mark.requirement("cache.audience")
async def test_a_private_server_answers_each_caller_himself() -> None:
    """What it told one is never shown to another."""
    policy = {"look": {"reads": reads("wiki:{id}")}}
    given = {"private": True, "policy": policy}
    async with library(server="wiki", entry=given, configured={"keys": KEYS}) as wiki:
        assert (await call(wiki.one, "look", bearer=ALICE)).source == "upstream"
        assert (await call(wiki.one, "look", bearer=BOB)).source == "upstream"
        assert (await call(wiki.one, "look", bearer=ALICE)).source == "cache"


@pytest.mark.requirement("cache.audience")
async def test_a_key_with_a_credential_of_its_own_is_its_own_audience() -> None:
    """What Alice's token may see, the mesh's may not be able to, and the other way round."""
    alice = entry("alice", credentials={"github": {"from_env": "ALICE_TOKEN"}})
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("ALICE_TOKEN", "token-of-alice")
        async with library(configured={"keys": [alice, entry("bob")]}) as shared:
            assert (await call(shared.one, "look", bearer=ALICE)).source == "upstream"
            assert (await call(shared.one, "look", bearer=BOB)).source == "upstream"
            assert (await call(shared.one, "look", bearer=ALICE)).source == "cache"
            assert (await call(shared.one, "look", bearer=BOB)).source == "cache"


@pytest.mark.requirement("cache.rights-first")
async def test_who_may_not_call_a_tool_is_not_answered_from_what_is_kept() -> None:
    """Rights are looked at before what is kept."""
    keys = [entry("alice"), entry("bob", deny=["mcp__github__look"])]
    async with library(configured={"keys": keys}) as shared:
        await call(shared.one, "look", bearer=ALICE)
        assert "error" in (await call(shared.one, "look", bearer=BOB)).reply.json
        assert "error" in (await call(shared.one, "look")).reply.json


@pytest.mark.requirement("cache.rights-first")
async def test_a_repository_that_the_mesh_may_not_touch_is_refused_though_it_is_kept() -> None:
    """The list of repositories is over everything."""
    policy = {"needs": ["owner", "repo"], "reads": reads("gh:{owner}/{repo}")}
    tools = [tool("list_all", **policy)]
    documents = Documents()
    async with (
        running(Scripted(answer=documents, tools=tools)) as url,
        routing({"github": url}, allowed_repos="acme/*") as mesh,
    ):
        assert await _listed(mesh, "acme") == "upstream"
        assert await _listed(mesh, "ACME") == "upstream"
        assert await _listed(mesh, "acme") == "cache"
        assert await _listed(mesh, "evil") == "failed"


async def _listed(mesh: Mesh, owner: str) -> str:
    params = {"name": "list_all", "arguments": {"owner": owner, "repo": "widgets"}}
    reply = await post(
        mesh.port, modern("tools/call", params), modern_headers("tools/call", "list_all")
    )
    seen = Seen(reply=reply)
    return "failed" if seen.failed else seen.source


BOUND = [
    *TOOLS,
    tool("look_by_id", enforces=["pr_number"], reads=reads("doc:{pr_number}")),
]


@pytest.mark.requirement("cache.bindings")
async def test_a_context_of_another_pull_request_is_not_answered_from_what_is_kept() -> None:
    """The server holds the object to the binding: only it can say whether it is allowed."""
    async with library(tools=BOUND) as shared:
        path = "/mcp?owner=acme&repo=widgets&pr_number="
        assert (await call(shared.one, "look_by_id", path=f"{path}1")).source == "upstream"
        assert (await call(shared.one, "look_by_id", path=f"{path}2")).source == "upstream"
        assert (await call(shared.one, "look_by_id")).source == "upstream"
        assert (await call(shared.one, "look_by_id", path=f"{path}1")).source == "cache"
        binds = [one["_meta"].get("dev.trunkline/bind") for one in _heard(shared)]
        assert [bind and bind.get("pr_number") for bind in binds] == [1, 2, None]


@pytest.mark.requirement("cache.bindings")
async def test_a_job_token_for_another_pull_request_is_not_answered_from_what_is_kept() -> None:
    """Nor is one that is bound to none answered with what a bound one saw, or the other way."""
    admin = entry("admin", scopes=["tools", "contexts"])
    async with library(
        tools=BOUND, configured={"keys": [admin]}, secret="a-secret-for-signing-tokens"
    ) as shared:
        one, two = [await _token(shared.one, number) for number in (1, 2)]
        sources = [
            (await call(shared.one, "look_by_id", bearer=bearer)).source
            for bearer in (one, two, key_of("admin"), one, two)
        ]
    assert sources == ["upstream", "upstream", "upstream", "cache", "cache"]


def _heard(shared: Library) -> list[dict[str, dict[str, dict[str, object]]]]:
    return shared.documents.heard  # type: ignore[return-value]  # what came over the wire


async def _token(mesh: Mesh, number: int) -> str:
    bind = {"owner": "acme", "repo": "widgets", "pr_number": number}
    body = orjson.dumps({"bind": bind, "tools": ["mcp__github__*"], "ttl_s": 600})
    headers = {"Content-Type": "application/json", **bearing(key_of("admin"))}
    reply = await post(mesh.port, body, headers, "/contexts")
    return str(reply.json["token"])
