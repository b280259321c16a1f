"""One URL per job: what a context offers, sets and refuses."""

from collections.abc import AsyncIterator

import pytest

from tests.interaction.contexts import (
    JOB,
    REPOSITORY,
    Job,
    declared,
    job,
    schema_of,
)
from tests.interaction.mesh import routing
from tests.interaction.upstreams import Json, Scripted, running
from tests.interaction.wire import failure, legacy, modern, modern_headers, post

pytestmark = pytest.mark.anyio

REVIEW = ("github_comment", "github_inline_comment", "github_ci")


@pytest.fixture
async def here() -> AsyncIterator[Job]:
    """The three review servers behind a router."""
    async with job() as made:
        yield made


@pytest.mark.requirement("context.offer")
async def test_with_a_pull_request_all_three_review_servers_are_there(here: Job) -> None:
    """And with the repository alone, of the three just the comment server."""
    whole = await here.listed(**JOB)
    assert set(whole) == {
        "update_comment", "create_comment", "list_comments", "search",
        "lines", "resolve", "get_ci", "rerun",
    }  # fmt: skip
    assert set(await here.listed(**REPOSITORY)) == {
        "update_comment", "create_comment", "list_comments", "create_label", "search",
    }  # fmt: skip
    assert set(await here.listed("/servers/github_ci/mcp", **JOB)) == {"get_ci", "rerun"}
    assert await here.listed("/servers/github_ci/mcp", **REPOSITORY) == {}


@pytest.mark.requirement("context.offer")
async def test_bound_parameters_vanish_from_the_schemas(here: Job) -> None:
    """From properties and from required, in each tool's own spelling; the rest stays."""
    listed = await here.listed(**JOB, comment_id="7")
    assert schema_of(listed["update_comment"]) == {
        "type": "object",
        "properties": {"body": {"type": "string"}},
        "required": ["body"],
    }
    assert schema_of(listed["list_comments"]) == {"type": "object", "properties": {}}
    without = await here.listed()
    assert set(without) > set(listed)
    assert schema_of(without["list_comments"])["required"] == ["issue_number"]


@pytest.mark.requirement("context.offer")
async def test_a_write_that_the_pull_request_does_not_reach_is_not_offered(here: Job) -> None:
    """A repository-wide write is neither listed nor called under a bound pull request."""
    assert "create_label" not in await here.listed(**JOB)
    assert "create_label" not in await here.listed(**REPOSITORY, issue_number="3")
    reply = await here.call("create_label", {"name": "x"}, **JOB)
    assert (reply.error["code"], here.comment.calls) == (-32602, [])
    assert (
        "is not offered in this context: it could write to something else than"
        in (reply.error["message"])
    )


@pytest.mark.requirement("context.offer")
@pytest.mark.parametrize("path", ["/mcp", "/servers/github_ci/mcp"])
async def test_a_call_of_what_is_not_offered_says_why(here: Job, path: str) -> None:
    """-32602 in both eras; without looking at the servers again."""
    before = here.comment.lists
    params: Json = {"name": "get_ci", "arguments": {"pr_number": 12}}
    query = "?owner=acme&repo=widgets"
    old = await post(here.mesh.port, legacy("tools/call", params), path=path + query)
    new = await post(
        here.mesh.port,
        modern("tools/call", params),
        modern_headers("tools/call", "get_ci"),
        path + query,
    )
    for reply in (old, new):
        assert reply.error["code"] == -32602
        assert "is not offered in this context: it needs pr_number." in reply.error["message"]
    assert (old.status, new.status) == (200, 400)
    assert here.servers["github_ci"].calls == []
    assert here.comment.lists == before


@pytest.mark.requirement("context.bind")
async def test_bound_arguments_are_set_in_the_tools_own_spelling(here: Job) -> None:
    """Only those that the tool declares; all bindings go along for the server to check."""
    await here.call("update_comment", {"body": "b"}, **JOB, commentId="7")
    assert here.sent() == {"body": "b", "owner": "acme", "repo": "widgets", "commentId": 7}
    bound = {"owner": "acme", "repo": "widgets", "pr_number": 12, "issue_number": 12}
    assert here.bind() == bound | {"comment_id": 7}
    await here.call("list_comments", {}, **JOB)
    assert here.sent() == {"owner": "acme", "repo": "widgets", "issue_number": 12}
    assert here.bind() == bound


@pytest.mark.requirement("context.bind")
async def test_an_equal_value_is_fine_in_any_spelling(here: Job) -> None:
    """Case of names, numbers as texts, camelCase, and what stands for "not given"."""
    for given in (
        {"owner": "ACME", "repo": "Widgets", "issueNumber": "12"},
        {"issue_number": 12.0, "owner": ""},
        {"pr_number": 12, "repo": None},
    ):
        reply = await here.call("list_comments", given, **JOB)
        assert reply.result["isError"] is False, given
        sent = {"owner": "acme", "repo": "widgets", "issue_number": 12}
        assert sent.items() <= here.sent().items()
    assert "issueNumber" not in here.sent()


@pytest.mark.requirement("context.bind")
@pytest.mark.parametrize(
    "given",
    [
        {"owner": "evil"},
        {"repo": "evil/widgets"},
        {"issue_number": 13},
        {"issueNumber": 13},
        {"pr_number": 13},
        {"prNumber": "13"},
        {"PR_NUMBER": [12]},
        {"pull_number": {"number": 12}},
        {"issue_number": True},
        {"issue_number": 12.5},
        {"issue_number": "12 "},
        {"issue_number": 12, "issueNumber": 13},
    ],
)
async def test_another_value_is_blocked(here: Job, given: Json) -> None:
    """BLOCKED_BY_POLICY names the argument and the binding; nothing reaches the server."""
    reply = await here.call("list_comments", given, **JOB)
    payload = failure(reply)
    assert payload["error_code"] == "BLOCKED_BY_POLICY"
    details = payload["details"]
    assert isinstance(details, dict)
    assert details["reason"] == "outside_binding"
    assert reply.result["_meta"]["dev.trunkline/call"]["server"] == "github_comment"
    assert here.comment.calls == []


@pytest.mark.requirement("context.bind")
@pytest.mark.parametrize("arguments", ["text", [1], 7])
async def test_arguments_that_are_no_object_are_refused(here: Job, arguments: object) -> None:
    """They cannot carry what the context sets."""
    reply = await here.ask("tools/call", "/mcp", {"name": "search", "arguments": arguments}, **JOB)
    assert reply.error["code"] == -32602
    assert here.comment.calls == []


@pytest.mark.requirement("context.bind")
async def test_reads_of_resources_and_prompts_carry_the_bindings(here: Job) -> None:
    """And a client cannot forge them, in a context or without one."""
    forged: Json = {"_meta": {"dev.trunkline/bind": {"owner": "evil"}}}
    await here.ask("resources/read", "/mcp", {"uri": "note://1"} | forged, **REPOSITORY)
    assert here.bind() == REPOSITORY
    await here.ask("prompts/get", "/mcp", {"name": "ask"} | forged, **REPOSITORY)
    assert here.bind() == REPOSITORY
    await here.ask("prompts/get", "/mcp", {"name": "ask"} | forged)
    assert here.bind() is None
    await here.ask("tools/call", "/mcp", {"name": "search"} | forged)
    assert here.bind() is None


@pytest.mark.requirement("context.bind")
async def test_a_prompts_arguments_do_not_leave_the_context(here: Job) -> None:
    """As a tool's: another value is refused before it is sent, in any spelling."""
    for given in ({"owner": "evil"}, {"pullNumber": "13"}):
        asked: Json = {"name": "ask", "arguments": given}
        reply = await here.ask("prompts/get", "/mcp", asked, **JOB)
        assert reply.error["data"]["error_code"] == "BLOCKED_BY_POLICY"
    assert here.comment.calls == []
    equal: Json = {"name": "ask", "arguments": {"owner": "Acme", "about": "x"}}
    assert "result" in (await here.ask("prompts/get", "/mcp", equal, **JOB)).json


async def test_a_batch_is_bound_as_well(here: Job) -> None:
    """The URL holds for every message of the request."""
    one = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_comments"}}'
    reply = await post(
        here.mesh.port, b"[" + one + b"]", path="/mcp?owner=acme&repo=widgets&pr_number=12"
    )
    assert reply.json[0]["result"]["isError"] is False
    assert here.sent()["issue_number"] == 12


@pytest.mark.requirement("context.offer")
async def test_the_introduction_names_the_binding_and_no_server_without_a_tool(here: Job) -> None:
    """What is not there is not praised, and what is bound is said once."""
    hello: Json = {"protocolVersion": "2025-06-18"}
    narrow = (await here.ask("initialize", "/mcp", hello, **REPOSITORY)).result["instructions"]
    assert "github_comment" in narrow
    assert "github_ci" not in narrow
    assert "bound to owner acme, repo widgets." in narrow
    whole = (await here.ask("initialize", "/mcp", hello, **JOB)).result["instructions"]
    assert "github_ci" in whole
    assert "bound to owner acme, repo widgets, pr_number 12." in whole
    emptied = await here.ask("initialize", "/servers/github_ci/mcp", hello, **REPOSITORY)
    assert emptied.result["instructions"].endswith(
        "No tool is offered in this context: it needs pr_number."
    )
    assert "bound" not in (await here.ask("initialize", "/mcp", hello)).result["instructions"]


@pytest.mark.requirement("context.query")
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("pr=12", "Unknown context key 'pr' (='12'). Did you mean 'pr_number'?"),
        ("ownr=acme", "Did you mean 'owner'?"),
        ("owner", "owner='' must be a GitHub owner"),
        ("owner=a/b", "owner='a/b' must be"),
        ("repo=..", "repo='..' must be"),
        ("pr_number=0", "pr_number='0' must be a positive whole number"),
        ("pr_number=-1", "pr_number='-1' must be"),
        ("pr_number=1e3", "pr_number='1e3' must be"),
        ("pr_number=%D9%A3", "must be a positive whole number"),
        ("comment_id=99999999999999999999", "must be a positive whole number"),
        ("branch=a..b", "branch='a..b' must be a branch's name"),
        ("branch=-f", "branch='-f' must be"),
        ("issue_key=12", "issue_key='12' must be a Jira key"),
        ("owner=a&owner=a", "owner comes twice"),
        ("pr_number=1&prNumber=1", "pr_number comes twice"),
        ("pr_number=1&issue_number=2", "pr_number 1 and issue_number 2 contradict"),
        ("owner=%FF", "percent-encoded UTF-8"),
        ("&".join(f"k{n}=1" for n in range(50)), "fields at most"),
    ],
)
async def test_a_bad_query_is_refused_with_key_value_and_fix(
    here: Job, query: str, said: str
) -> None:
    """HTTP 400 under the request's own id, in every era and on every path."""
    for path in ("/mcp", "/servers/github_comment/mcp"):
        reply = await post(here.mesh.port, legacy("tools/list"), path=f"{path}?{query}")
        assert (reply.status, reply.json["id"], reply.error["code"]) == (400, 1, -32600)
        assert said in reply.error["message"]
    new = await post(
        here.mesh.port, modern("tools/list"), modern_headers("tools/list"), f"/mcp?{query}"
    )
    assert new.status == 400
    assert said in new.error["message"]


@pytest.mark.requirement("context.query")
@pytest.mark.parametrize(
    "query",
    ["%", "%zz=1", "é=1", "owner=é", "owner=%00", "owner=%C3%28", "=", "=&=", "?owner=a", ";",
     "owner=a;repo=b", "[]=1", "owner[]=a", "owner=a%26repo=b", "pr_number=12+", "x" * 6000],
)  # fmt: skip
async def test_an_odd_query_is_refused_as_well(here: Job, query: str) -> None:
    """Whatever stands after the question mark, the answer is JSON-RPC with 400."""
    reply = await post(here.mesh.port, legacy("tools/list"), path=f"/mcp?{query}")
    assert (reply.status, reply.error["code"]) == (400, -32600)
    assert len(reply.body) < 1000


async def test_an_empty_query_is_no_context(here: Job) -> None:
    """A question mark alone, or empty fields, bind nothing."""
    for query in ("", "&", "&&"):
        reply = await post(here.mesh.port, legacy("tools/list"), path=f"/mcp?{query}")
        assert {entry["name"] for entry in reply.result["tools"]} == set(await here.listed())


@pytest.mark.requirement("context.query")
async def test_every_key_is_taken(here: Job) -> None:
    """In snake case or camel case; an issue key is written in capitals."""
    context = {
        "owner": "acme", "repo": "w.x", "prNumber": "5", "issueNumber": "5", "commentId": "6",
        "projectId": "7", "branch": "feature/ä+b", "issueKey": "proj-8",
    }  # fmt: skip
    await here.call("search", {"query": "q"}, **context)
    assert here.bind() == {
        "owner": "acme", "repo": "w.x", "pr_number": 5, "issue_number": 5, "comment_id": 6,
        "project_id": 7, "branch": "feature/ä+b", "issue_key": "PROJ-8",
    }  # fmt: skip


@pytest.mark.requirement("context.bind")
async def test_a_mirrored_header_says_what_is_bound() -> None:
    """The server hears of the bound value; a header without its argument is refused."""
    properties: dict[str, Json] = {
        "pr_number": {"type": "integer", "x-mcp-header": "Number"},
        "region": {"type": "string", "x-mcp-header": "Region"},
    }
    server = Scripted(tools=[declared("act", properties)])
    async with running(server) as url, routing({"a": url}) as mesh:
        body = modern("tools/call", {"name": "act", "arguments": {"region": "eu"}})
        headers = modern_headers("tools/call", "act") | {
            "Mcp-Param-Region": "eu", "Mcp-Param-Other": "x",
        }  # fmt: skip
        reply = await post(mesh.port, body, headers, "/mcp?pr_number=12")
        stray = headers | {"mcp-param-number": "13"}
        refused = await post(mesh.port, body, stray, "/mcp?pr_number=12")
    assert reply.result["isError"] is False
    assert (refused.status, refused.error["code"]) == (400, -32020)
    assert len(server.headers) == 1
    sent = server.headers[0]
    mirrored = {name: value for name, value in sent.items() if name.startswith("mcp-param")}
    assert mirrored == {
        "mcp-param-number": "12", "mcp-param-region": "eu", "mcp-param-other": "x",
    }  # fmt: skip
