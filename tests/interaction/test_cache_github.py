"""The GitHub servers' answers behind a router that keeps them: what writes spoil, and what not."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from mcp_types import CallToolResult

from tests.interaction.github_mesh import Agent, GitHubMesh, agent, github_mesh
from tests.standing_clock import StandingClock
from trunkline_shared import meta
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

PULL: Mapping[str, object] = {"pr_number": 2}
READS: Mapping[str, Mapping[str, object]] = {
    "list_comments": {"issue_number": 2},
    "github_get_issue": {"issue_number": 2},
    "github_list_issues": {},
    "list_pull_requests": {},
    "get_pull_request": PULL,
    "github_pr_status": PULL,
    "github_get_pr_diff": PULL,
    "get_commentable_lines": PULL,
    "get_ci_status": PULL,
}
DIFF = {"github_get_pr_diff", "get_commentable_lines"}
LISTS = {"github_list_issues", "list_pull_requests"}
ISSUE = {"github_get_issue", "get_pull_request"} | LISTS


@dataclass(frozen=True, kw_only=True)
class Here:
    """An agent of the mesh, and what it does."""

    mesh: GitHubMesh
    agent: Agent

    async def ask(self, tool: str) -> tuple[str, Any]:
        """Read; returns where the answer came from, and the answer."""
        result = await self._call(tool, READS[tool])
        note = (result.meta or {})[meta.CALL]
        return str(note["source"]), result.structured_content

    async def read_all(self) -> dict[str, str]:
        """Read everything; returns where each answer came from."""
        return {tool: (await self.ask(tool))[0] for tool in READS}

    async def write(self, tool: str, arguments: Mapping[str, object]) -> None:
        await self._call(tool, arguments)

    async def _call(self, tool: str, arguments: Mapping[str, object]) -> CallToolResult:
        here = {"owner": "acme", "repo": "widgets", **arguments}
        result = await self.agent.client.call_tool(tool, here)
        assert isinstance(result, CallToolResult)
        assert not result.is_error, result.content
        return result


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Here]:
    """All GitHub servers behind a router, before the demo's pull request."""
    async with (
        github_mesh(github, monkeypatch, clock=StandingClock()) as mesh,
        agent(mesh.router.mcp) as asking,
    ):
        mesh.demo.repository.tracker.add_label("screws", description="All about screws")
        yield Here(mesh=mesh, agent=asking)


@pytest.mark.requirement("cache.reads-cost-nothing")
async def test_every_read_of_a_pull_request_is_answered_from_what_was_read(here: Here) -> None:
    """Also those that learn only from the answer which commit and branch they are about."""
    first = await here.read_all()
    assert set(first.values()) == {"upstream"}
    before = len(here.mesh.github.requests.matching("*", "*"))
    again = await here.read_all()
    assert set(again.values()) == {"cache"}
    assert len(here.mesh.github.requests.matching("*", "*")) == before


WRITES: Mapping[str, tuple[Mapping[str, object], set[str]]] = {
    "create_comment": ({"issue_number": 2, "body": "New."}, ISSUE | {"list_comments"}),
    "update_comment": ({"body": "Changed."}, ISSUE | {"list_comments"}),
    "create_inline_comment": (
        {**PULL, "path": "src/screws.py", "line": 7, "body": "Why?"},
        ISSUE | {"github_pr_status"},
    ),
    "github_add_labels": ({"issue_number": 2, "labels": ["screws"]}, ISSUE),
}


@pytest.mark.requirement("cache.tags-complete")
@pytest.mark.parametrize("write", [*WRITES])
async def test_a_write_spoils_what_shows_its_change_and_nothing_else(
    here: Here, write: str
) -> None:
    """Through the servers' own declarations, end to end."""
    arguments, spoiled = WRITES[write]
    if write == "update_comment":
        arguments = {**arguments, "commentId": here.mesh.demo.pull.comments[1].id}
    await here.read_all()
    await here.write(write, arguments)
    sources = await here.read_all()
    assert {tool for tool, source in sources.items() if source == "upstream"} == spoiled
    assert {tool for tool, source in sources.items() if source == "cache"} == READS.keys() - spoiled


@pytest.mark.requirement("cache.read-write-read")
async def test_a_comment_that_was_edited_by_its_id_is_shown_as_it_is_now(here: Here) -> None:
    """Though the write never says whose comment it is."""
    await here.ask("list_comments")
    comment = here.mesh.demo.pull.comments[1]
    await here.write("update_comment", {"commentId": comment.id, "body": "All done."})
    _, shown = await here.ask("list_comments")
    (found,) = [one["body"] for one in shown["comments"] if one["id"] == comment.id]
    assert "All done." in found
