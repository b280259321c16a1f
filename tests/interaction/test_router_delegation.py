"""A server that is marked for it calls back in its caller's name, and reaches nothing more."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent, TextResourceContents

from tests.interaction.asking import failure_of
from tests.interaction.contexts import (
    OF_REPOSITORY,
    TEXT,
    comment_tools,
    declared,
    pull_request_tools,
)
from tests.interaction.delegating import SECRET, DelegateTools, delegate, delegation_of, tokens_of
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from tests.interaction.upstreams import Scripted, result, running
from tests.interaction.wire import META, modern, modern_headers, post
from trunkline_shared import meta
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

NEEDS_BRANCH: Mapping[str, object] = {
    "needs": ["branch"],
    "defaults": {"branch": "twig.get_current_branch#branch"},
}
FORGED = {"url": "http://127.0.0.1:9/mcp", "token": "mine"}
ANSWER = {"content": [], "structuredContent": {"done": True}, "isError": False}


async def answers(http: Any, request: dict[str, object]) -> Any:
    """Answer any call with structured content."""
    return result(request, {"resultType": "complete", **ANSWER})


@dataclass(frozen=True, kw_only=True)
class Office:
    """A router before the delegate (`twig`), two review servers, samples, and a foreign server."""

    mesh: Mesh
    delegate: DelegateTools
    comment: Scripted
    foreign: Scripted
    sample: SampleTools

    async def ask(self, name: str, context: str = "", **arguments: object) -> CallToolResult:
        """Have the delegate call another server's tool."""
        async with Client(f"{self.mesh.mcp}{context}") as client:
            asked = {"name": name, "arguments": arguments}
            answer = await client.call_tool("ask", asked)
        assert isinstance(answer, CallToolResult)
        return answer

    def sent(self) -> dict[str, Any]:
        """Return the params of the comment server's last call."""
        params = self.comment.calls[-1]["params"]
        assert isinstance(params, dict)
        return params


@asynccontextmanager
async def office(**settings: Any) -> AsyncIterator[Office]:
    comment = Scripted(tools=comment_tools(), answer=answers)
    ci = Scripted(tools=pull_request_tools("get_ci", "rerun"), answer=answers)
    foreign, sample = Scripted(), SampleTools()
    async with AsyncExitStack() as stack:
        server, tools = await stack.enter_async_context(delegate())
        urls = {
            "twig": await stack.enter_async_context(serving(server)),
            "github_comment": await stack.enter_async_context(running(comment)),
            "github_ci": await stack.enter_async_context(running(ci)),
            "wiki": await stack.enter_async_context(running(foreign)),
            "sample": await stack.enter_async_context(serving(sample_server(sample))),
        }
        mesh = await stack.enter_async_context(routing(urls, secret=SECRET, **settings))
        yield Office(mesh=mesh, delegate=tools, comment=comment, foreign=foreign, sample=sample)


@pytest.fixture
async def here() -> AsyncIterator[Office]:
    """The usual office."""
    async with office() as made:
        yield made


@pytest.mark.requirement("router.delegation-narrow")
async def test_a_delegated_call_is_bound_as_its_callers_is(here: Office) -> None:
    """The token carries the binding: the callee gets it, whatever the delegate leaves out."""
    bound = "?owner=acme&repo=widgets&pr_number=12"
    done = await here.ask("list_comments", bound)
    assert done.structured_content == {"answer": {"done": True}}
    assert here.sent()["arguments"] == {"owner": "acme", "repo": "widgets", "issue_number": 12}
    assert here.sent()["_meta"][meta.BIND]["pr_number"] == 12
    same = await here.ask("list_comments", bound, owner="ACME", issue_number="12")
    assert not same.is_error


@pytest.mark.requirement("router.delegation-narrow")
async def test_a_delegated_call_reaches_nothing_beside_the_binding(here: Office) -> None:
    """Neither another number nor a tool that the context does not offer."""
    other = await here.ask(
        "list_comments", "?owner=acme&repo=widgets&pr_number=12", issue_number=13
    )
    assert failure_of(other)["error_code"] == "BLOCKED_BY_POLICY"
    assert failure_of(other)["details"]["reason"] == "outside_binding"
    unoffered = await here.ask("get_ci", "?owner=acme&repo=widgets")
    assert failure_of(unoffered)["error_code"] == "BLOCKED_BY_POLICY"
    assert failure_of(unoffered)["details"]["reason"] == "not_offered"
    unknown = await here.ask("get_wiki")
    assert failure_of(unknown)["error_code"] == "UNSUPPORTED"


async def test_a_delegate_is_answered_what_any_caller_is(here: Office) -> None:
    """Results, tool errors with their hint, answers without structured content."""
    counted = await here.ask("count", steps=2)
    assert counted.structured_content == {"answer": {"said": "2 steps"}}
    failed = failure_of(await here.ask("fail"))
    assert (failed["error_code"], failed["hint"]) == ("NOT_FOUND", "Try another.")
    odd = failure_of(await here.ask("act"))
    assert odd["error_code"] == "UPSTREAM_UNAVAILABLE"


@pytest.mark.requirement("router.delegation-narrow", "bridge.depth")
async def test_nobody_asks_deeper_than_three_servers(here: Office) -> None:
    """The fourth is not delegated to."""
    async with Client(here.mesh.mcp) as client:
        answer = await client.call_tool("dive", {})
    assert answer.structured_content == {"below": 3}
    assert len(here.delegate.told) == 4
    tokens = [tokens_of(here.mesh).read(token) for token in here.delegate.tokens]
    assert [grant.depth for grant in tokens if grant] == [1, 2, 3]


@pytest.mark.requirement("router.delegation-narrow")
async def test_a_token_ends_with_the_call_that_it_was_minted_for(here: Office) -> None:
    """Seconds after the deadline, and no later one deeper down."""
    async with Client(here.mesh.mcp) as client:
        await client.call_tool("dive", {})
    grants = [tokens_of(here.mesh).read(token) for token in here.delegate.tokens]
    ends = [grant.expires for grant in grants if grant]
    began = min(span.started for span in here.mesh.spans if span.name == "tools/call dive")
    assert all(began < end < began + 5 + 0.2 + 1.1 for end in ends)
    assert ends == sorted(ends, reverse=True)


@pytest.mark.requirement("router.delegation-narrow")
async def test_a_token_lets_nobody_mint_another_or_change_the_mesh(here: Office) -> None:
    """What it is used for ends when it does, whatever its caller may."""
    async with Client(here.mesh.mcp) as client:
        await client.call_tool("dive", {})
    grants = [tokens_of(here.mesh).read(token) for token in here.delegate.tokens]
    assert {grant.scopes for grant in grants if grant} == {frozenset({"tools", "observe"})}


@pytest.mark.requirement("router.delegation-narrow")
async def test_what_the_router_asks_for_a_caller_is_bound_as_the_caller_is() -> None:
    """The question for a default carries no wider token than the call that it is for."""
    branch = declared("get_current_branch", {})
    twig = Scripted(tools=[branch], answer=answers)
    needy = declared("get_pull", OF_REPOSITORY | {"branch": TEXT}, policy=NEEDS_BRANCH)
    laptop: dict[str, Any] = {
        "local_defaults": True, "github_repository": "acme/widgets", "secret": SECRET
    }  # fmt: skip
    async with (
        running(twig) as one,
        running(Scripted(tools=[needy])) as two,
        routing({"twig": one, "github": two}, **laptop) as mesh,
        Client(f"{mesh.mcp}?owner=acme&repo=widgets") as client,
    ):
        await client.call_tool("get_pull", {})
        tokens = tokens_of(mesh)
    asked = twig.calls[-1]["params"]
    assert isinstance(asked, dict)
    grant = tokens.read(delegation_of(asked)["token"])
    assert grant is not None
    assert str(grant.context) == "owner acme, repo widgets"


@pytest.mark.requirement("router.delegation-narrow")
async def test_a_delegated_call_has_the_time_that_its_delegate_gives_it(here: Office) -> None:
    """Fewer seconds than the tool has by itself; a client that is nobody's delegate gets those."""
    await here.ask("list_comments", issue_number=1)
    assert 2000 < here.sent()["_meta"][meta.DEADLINE_MS] <= 3000
    params = {
        "name": "list_comments",
        "arguments": {"issue_number": 1},
        "_meta": {**META, meta.DEADLINE_MS: 3000},
    }
    headers = modern_headers("tools/call", "list_comments")
    await post(here.mesh.port, modern("tools/call", params), headers)
    assert here.sent()["_meta"][meta.DEADLINE_MS] > 29_000


@pytest.mark.requirement("router.delegation-only-marked")
async def test_a_server_that_is_not_marked_gets_no_delegation(here: Office) -> None:
    """Neither a foreign one nor one of the mesh's own; the marked one gets the router's URL."""
    async with Client(here.mesh.mcp) as client:
        await client.call_tool("act", {})
        await client.call_tool("list_comments", {"issue_number": 1})
        await client.call_tool("meta", {})
        await client.call_tool("dive", {})
    for call in (here.foreign.calls[-1], here.comment.calls[-1]):
        assert isinstance(call["params"], dict)
        assert delegation_of(call["params"]) is None
    assert meta.DELEGATION not in str(here.sample.seen)
    assert here.delegate.told[0][meta.DELEGATION]["url"] == here.mesh.mcp


@pytest.mark.requirement("router.delegation-only-marked")
@pytest.mark.parametrize("name", ["act", "dive"])
async def test_a_client_cannot_delegate_in_the_routers_name(here: Office, name: str) -> None:
    """What it sends under that key is dropped on the way to any server."""
    params = {"name": name, "arguments": {}, "_meta": {**META, meta.DELEGATION: FORGED}}
    reply = await post(
        here.mesh.port, modern("tools/call", params), modern_headers("tools/call", name)
    )
    assert reply.status == 200
    if name == "act":
        sent = here.foreign.calls[-1]["params"]
        assert isinstance(sent, dict)
        assert delegation_of(sent) is None
    else:
        assert FORGED["token"] not in here.delegate.tokens
        assert here.delegate.told[0][meta.DELEGATION]["url"] == here.mesh.mcp


async def test_resources_and_prompts_are_delegated_to_as_well(here: Office) -> None:
    """Each with a token of its own."""
    async with Client(here.mesh.mcp) as client:
        (content,) = (await client.read_resource("delegate://token")).contents
        prompt = (await client.get_prompt("say_token")).messages[0].content
    assert isinstance(content, TextResourceContents)
    assert isinstance(prompt, TextContent)
    tokens = {content.text, prompt.text}
    assert len(tokens) == 2
    assert all(tokens_of(here.mesh).read(token) for token in tokens)


async def test_an_internal_url_is_what_servers_are_told() -> None:
    """Containers reach the router by a name that no client uses, which it answers to."""
    async with office(internal_url="http://router:8470/mcp") as made:
        refused = failure_of(await made.ask("list_comments", issue_number=1))
        assert refused["error_code"] == "NETWORK_ERROR"
        assert made.delegate.told[0][meta.DELEGATION]["url"] == "http://router:8470/mcp"
        headers = modern_headers("tools/list") | {"Host": "router:8470"}
        assert (await post(made.mesh.port, modern("tools/list"), headers)).status == 200


@pytest.mark.requirement("secrets.logs", "router.delegation-narrow")
async def test_no_token_is_in_a_log_a_span_or_an_error(
    here: Office, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything is logged, and a delegated call succeeds, fails and is refused."""
    caplog.set_level(logging.DEBUG)
    told = [
        await here.ask("list_comments", issue_number=1),
        await here.ask("fail"),
        await here.ask("nothing"),
        await here.ask("get_ci", "?owner=acme&repo=widgets"),
    ]
    spans: list[Mapping[str, object]] = [span.attributes for span in here.mesh.spans]
    everything = f"{caplog.text} {spans} {told}"
    assert len(here.delegate.tokens) == 4
    for token in here.delegate.tokens:
        assert token not in everything
        assert token.rpartition(".")[2] not in everything
