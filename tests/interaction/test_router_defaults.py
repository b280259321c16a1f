"""What a read was not told is found on the machine of the one who asks; no write is guessed."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from aiohttp import web

from tests.interaction.contexts import NUMBER, OF_REPOSITORY, TEXT, declared
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Answer, Json, Scripted, result, running
from tests.interaction.wire import legacy, post

pytestmark = pytest.mark.anyio

BRANCH: Json = {"branch": "feature", "pr_number": 12, "jira_issue": "PROJ-8", "detached": False}
REPOSITORY: Json = {"owner": "acme", "repo": "widgets"}
POLICY: Mapping[str, object] = {
    "needs": ["owner", "repo", "pr_number|branch"],
    "defaults": {
        "owner": "settings#github_owner",
        "repo": "settings#github_name",
        "pr_number": "twig.get_current_branch#pr_number",
        "branch": "twig.get_current_branch#branch",
    },
}


def github_tools() -> list[Json]:
    pull = OF_REPOSITORY | {"pr_number": NUMBER, "branch": TEXT}
    both = {**POLICY, "needs": ["owner", "repo", "pr_number", "branch"]}
    issue: Json = {
        "needs": ["issue_key"],
        "defaults": {"issue_key": "twig.get_current_branch#jira_issue"},
    }
    odd: Json = {
        "needs": ["branch", "owner", "repo"],
        "defaults": {
            "branch": "github.merge#pr_number",
            "owner": "twig.no_such_tool#x",
            "repo": "settings#local_defaults",
        },
    }
    return [
        declared("get_pull", pull, policy=POLICY),
        declared("get_both", pull, policy=both),
        declared("get_issue", {"issueKey": TEXT}, policy=issue),
        declared("get_odd", pull, policy=odd),
        declared("merge", pull, read_only=False, policy=POLICY),
    ]


def says(branch: Mapping[str, object]) -> Answer:
    """Answer as twig does for this branch."""

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"content": [], "structuredContent": dict(branch)})

    return answer


async def fails(http: web.Request, request: Json) -> web.StreamResponse:
    """Answer a tool error."""
    return result(request, {"content": [], "structuredContent": BRANCH, "isError": True})


async def breaks(http: web.Request, request: Json) -> web.StreamResponse:
    """Answer something that is not MCP."""
    return web.Response(text="sorry", content_type="text/plain")


async def hangs(http: web.Request, request: Json) -> web.StreamResponse:
    """Never answer."""
    await asyncio.Event().wait()
    raise AssertionError


@dataclass(frozen=True, kw_only=True)
class Laptop:
    """A router in front of a GitHub server, a foreign one that copies it, and twig."""

    mesh: Mesh
    github: Scripted
    foreign: Scripted
    twig: Scripted

    async def sent(
        self,
        name: str,
        arguments: Mapping[str, object] | None = None,
        context: Mapping[str, object] | None = None,
    ) -> Json:
        """Call a tool, and return the arguments that its server was given."""
        before = len(self.github.calls) + len(self.foreign.calls)
        params: Json = {"name": name, "arguments": dict(arguments or {})}
        path = f"/mcp?{urlencode(context)}" if context else "/mcp"
        reply = await post(self.mesh.port, legacy("tools/call", params), path=path)
        assert reply.result["isError"] is False
        assert len(self.github.calls) + len(self.foreign.calls) == before + 1
        server = self.foreign if name.startswith("wiki__") else self.github
        given = server.calls[-1]["params"]
        assert isinstance(given, dict)
        sent: Json = given["arguments"]
        return sent


@asynccontextmanager
async def laptop(answer: Answer | None = None, **settings: Any) -> AsyncIterator[Laptop]:
    tools = [declared("get_current_branch", {})]
    twig = Scripted(answer=answer or says(BRANCH), tools=tools)
    github, foreign = Scripted(tools=github_tools()), Scripted(tools=github_tools())
    known: dict[str, Any] = {"local_defaults": True, "github_repository": "acme/widgets"}
    async with (
        running(twig) as one,
        running(github) as two,
        running(foreign) as three,
        routing({"twig": one, "github": two, "wiki": three}, **known | settings) as mesh,
    ):
        yield Laptop(mesh=mesh, github=github, foreign=foreign, twig=twig)


@pytest.mark.requirement("context.defaults")
async def test_a_read_without_arguments_is_about_the_current_branch() -> None:
    """Owner and repository from the settings, the pull request from twig; the first that is."""
    async with laptop() as here:
        assert await here.sent("get_pull") == REPOSITORY | {"pr_number": 12}
        assert await here.sent("get_issue") == {"issueKey": "PROJ-8"}
        here.twig.answer = says(BRANCH | {"pr_number": None})
        assert await here.sent("get_pull") == REPOSITORY | {"branch": "feature"}


@pytest.mark.requirement("context.defaults")
async def test_a_branch_is_asked_for_afresh_and_once_per_call() -> None:
    """Two needs of one call share an answer, two calls never do."""
    async with laptop() as here:
        both = {"pr_number": 12, "branch": "feature"}
        assert await here.sent("get_both") == REPOSITORY | both
        assert len(here.twig.calls) == 1
        here.twig.answer = says(BRANCH | {"pr_number": 13, "branch": "other"})
        assert await here.sent("get_pull") == REPOSITORY | {"pr_number": 13}
        assert len(here.twig.calls) == 2


@pytest.mark.requirement("context.defaults")
async def test_a_write_is_never_completed() -> None:
    """Its server says what is missing."""
    async with laptop() as here:
        assert await here.sent("merge") == {}
        assert here.twig.calls == []


@pytest.mark.requirement("context.defaults")
@pytest.mark.parametrize("off", [{"local_defaults": False}, {}], ids=["off", "foreign"])
async def test_nothing_is_completed_where_nobody_asked_for_it(off: dict[str, Any]) -> None:
    """Off where it is switched off; and a foreign server's wishes are not followed."""
    async with laptop(**off) as here:
        name = "wiki__get_pull" if not off else "get_pull"
        assert await here.sent(name) == {}
        assert here.twig.calls == []


@pytest.mark.requirement("context.defaults")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"pr_number": 5}, {**REPOSITORY, "pr_number": 5}),
        ({"prNumber": 5}, {**REPOSITORY, "prNumber": 5}),
        ({"branch": "b"}, {**REPOSITORY, "branch": "b"}),
        ({"branch": "", "owner": ""}, {**REPOSITORY, "branch": "", "pr_number": 12}),
        ({"owner": "ACME"}, {"owner": "ACME", "repo": "widgets", "pr_number": 12}),
        ({"repo": "Acme/Widgets"}, {"repo": "Acme/Widgets", "pr_number": 12}),
        ({"owner": "other"}, {"owner": "other"}),
        ({"owner": "other", "repo": "widgets"}, {"owner": "other", "repo": "widgets"}),
        ({"repo": "gadgets"}, {"repo": "gadgets", "owner": "acme"}),
        ({"repo": "other/widgets"}, {"repo": "other/widgets"}),
    ],
)
async def test_what_is_given_stands_and_another_repository_knows_no_local_branch(
    given: Json, expected: Json
) -> None:
    """The branch here says nothing about a pull request elsewhere."""
    async with laptop() as here:
        assert await here.sent("get_pull", given) == expected


@pytest.mark.requirement("context.defaults")
async def test_a_context_of_another_repository_or_object_knows_no_local_branch() -> None:
    """A context of this repository does."""
    job = REPOSITORY
    async with laptop() as here:
        assert await here.sent("get_pull", context=job) == REPOSITORY | {"pr_number": 12}
        other: Json = {"owner": "acme", "repo": "gadgets"}
        assert await here.sent("get_pull", context=other) == other
        assert await here.sent("get_issue", context=other) == {}
        assert await here.sent("get_issue", context=job | {"pr_number": 99}) == {}
        assert await here.sent("get_both", context=job | {"branch": "b"}) == REPOSITORY | {
            "branch": "b"
        }


@pytest.mark.requirement("context.defaults")
async def test_without_a_default_repository_only_a_call_that_names_none_is_local() -> None:
    """Nothing is known to be the same."""
    async with laptop(github_repository="") as here:
        assert await here.sent("get_pull") == {"pr_number": 12}
        assert await here.sent("get_pull", REPOSITORY) == REPOSITORY


@pytest.mark.requirement("context.defaults")
@pytest.mark.parametrize(
    "answer",
    [
        fails,
        breaks,
        says({"branch": None, "pr_number": None, "detached": True}),
        says({"branch": "", "pr_number": True}),
        says({"branch": ["feature"], "pr_number": {"number": 1}}),
        says({}),
    ],
    ids=["error", "no-mcp", "detached", "blank", "nested", "nothing"],
)
async def test_what_cannot_be_found_is_left_to_the_server(answer: Answer) -> None:
    """An error, a detached HEAD, values of the wrong kind: the argument stays away."""
    async with laptop(answer) as here:
        assert await here.sent("get_pull") == REPOSITORY


@pytest.mark.requirement("context.defaults")
async def test_a_server_that_is_down_or_hangs_costs_at_most_three_seconds() -> None:
    """And the call goes on without it."""
    async with laptop(hangs) as here:
        began = asyncio.get_running_loop().time()
        assert await here.sent("get_pull") == REPOSITORY
        assert asyncio.get_running_loop().time() - began < 4
    async with (
        running(Scripted(tools=github_tools())) as url,
        routing({"github": url, "twig": "http://127.0.0.1:1"}, local_defaults=True) as mesh,
    ):
        reply = await post(mesh.port, legacy("tools/call", {"name": "get_pull"}))
        assert reply.result["isError"] is False


@pytest.mark.requirement("context.defaults")
async def test_no_write_is_made_to_find_a_default() -> None:
    """A source that writes, that nobody has, or that is no such setting is none."""
    async with laptop() as here:
        assert await here.sent("get_odd") == {}
        assert here.twig.calls == []


@pytest.mark.requirement("context.defaults")
async def test_the_question_is_a_child_of_the_call_and_ends_with_it() -> None:
    """One trace, and a deadline within the call's own."""
    async with laptop() as here:
        await here.sent("get_pull")
        asked, relayed, call = here.mesh.spans
    assert [span.name for span in (asked, relayed, call)] == [
        "tools/call get_current_branch",
        "tools/call get_pull",
        "tools/call get_pull",
    ]
    assert {asked.trace_id, relayed.trace_id} == {call.trace_id}
    assert asked.parent_id == relayed.parent_id == call.span_id
    assert call.attributes["trunkline.defaulted"] == "owner,repo,pr_number"
    params = here.twig.calls[0]["params"]
    assert isinstance(params, dict)
    assert params["_meta"]["dev.trunkline/deadline_ms"] <= 3000
    assert "dev.trunkline/bind" not in params["_meta"]
