"""A whole job: the URLs that `build_mcp_servers` gives, a real client, the real comment server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.interaction.asking import failure_of
from tests.interaction.commenting import World, world
from tests.interaction.contexts import pull_request_tools
from tests.interaction.mesh import routing
from tests.interaction.upstreams import Scripted, running
from trunkline_comment.app import open_server
from trunkline_comment.settings import CommentSettings
from trunkline_shared.client import build_allowed_mcp_tools, build_mcp_servers
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import GitHubStandIn
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, kw_only=True)
class Office:
    """A router in front of the comment server on a stand-in's repository."""

    world: World
    base: str

    def url(self, server: str, pr_number: int | None = None, comment_id: int | None = None) -> str:
        built = build_mcp_servers(self.base, "acme", "widgets", pr_number, comment_id, "t0ken")
        url = built[server]["url"]
        assert isinstance(url, str)
        return url


@asynccontextmanager
async def office(github: GitHubStandIn, environment: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    clock = FakeClock()
    settings = {
        "github_write_interval_s": 0, "netrc": "/nonexistent", "github_api_url": github.url,
        "toolsets": "all", "enable_writes": "all",
    }  # fmt: skip
    async with (
        world(github, environment) as seeded,
        open_server(load(CommentSettings, settings), in_process_store(clock), clock) as server,
        serving(server) as comment,
        running(Scripted(tools=pull_request_tools("lines", "resolve"))) as inline,
        running(Scripted(tools=pull_request_tools("get_ci", "rerun"))) as ci,
        routing({
            "github_comment": comment, "github_inline_comment": inline, "github_ci": ci
        }) as mesh,
    ):  # fmt: skip
        yield Office(world=seeded, base=mesh.url)


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    """The usual office."""
    async with office(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("context.client")
async def test_every_url_of_a_job_works_as_it_is(here: Office) -> None:
    """Three servers with a pull request, one without; each offers its own tools."""
    whole = build_mcp_servers(here.base, "acme", "widgets", pr_number=2)
    assert set(whole) == {"github_comment", "github_inline_comment", "github_ci"}
    for server, expected in (("github_inline_comment", "lines"), ("github_ci", "get_ci")):
        async with Client(str(whole[server]["url"])) as client:
            assert expected in {tool.name for tool in (await client.list_tools()).tools}
    alone = build_mcp_servers(here.base, "acme", "widgets")
    assert build_allowed_mcp_tools(alone) == ["mcp__github_comment__*"]
    async with Client(str(alone["github_comment"]["url"])) as client:
        assert "update_comment" in {tool.name for tool in (await client.list_tools()).tools}


@pytest.mark.requirement("context.client", "context.bind")
async def test_a_job_keeps_its_one_comment_up_to_date(here: Office) -> None:
    """With everything bound, the text is all that an agent has to say."""
    comment = here.world.pull.add_comment("working …", here.world.me)
    async with Client(here.url("github_comment", 2, comment.id)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "commentId" not in tools["update_comment"].input_schema["properties"]
        done = await client.call_tool("update_comment", {"body": "done"})
        assert not done.is_error
        said = await client.call_tool("create_comment", {"body": "one more"})
        assert not said.is_error
    assert [each.body for each in here.world.pull.comments] == ["done", "one more"]
    assert here.world.bodies() == []


@pytest.mark.requirement("context.bind")
async def test_a_job_reaches_no_comment_of_another_conversation(here: Office) -> None:
    """Neither by an id of its own, which the server checks, nor by any spelling of a number."""
    other = here.world.issue.add_comment("theirs", here.world.me)
    mine = here.world.pull.add_comment("mine", here.world.me)
    async with Client(here.url("github_comment", 2)) as client:
        for tool, arguments in (
            ("update_comment", {"commentId": other.id, "body": "new"}),
            ("delete_comment", {"comment_id": other.id, "confirm": True}),
            ("get_comment", {"comment_id": other.id}),
            ("add_reaction", {"comment_id": other.id, "content": "eyes"}),
            ("create_comment", {"issue_number": 1, "body": "new"}),
            ("create_comment", {"issueNumber": "1", "body": "new"}),
            ("list_comments", {"owner": "evil", "repo": "widgets"}),
        ):
            refused = failure_of(await client.call_tool(tool, arguments))
            assert refused["error_code"] == "BLOCKED_BY_POLICY", tool
            assert refused["details"]["reason"] == "outside_binding"
        done = await client.call_tool("update_comment", {"commentId": mine.id, "body": "new"})
        assert not done.is_error
    async with Client(here.url("github_comment", 2, mine.id)) as client:
        refused = failure_of(await client.call_tool("get_comment", {"comment_id": other.id}))
        assert refused["error_code"] == "BLOCKED_BY_POLICY"
    assert here.world.bodies() == ["theirs"]


@pytest.mark.requirement("context.offer")
async def test_a_tool_beyond_the_job_is_unknown_and_the_client_reads_why(here: Office) -> None:
    """The client's own exception carries the reason."""
    url = f"{here.base}/servers/github_ci/mcp?owner=acme&repo=widgets"
    async with Client(url) as client:
        assert (await client.list_tools()).tools == []
        with pytest.raises(MCPError, match="not offered in this context: it needs pr_number"):
            await client.call_tool("get_ci", {})
