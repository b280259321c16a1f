"""A checkout behind a router whose other servers say what a test wants, or are GitHub's own."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from mcp import Client
from mcp_types import TextContent, TextResourceContents
from pydantic import BaseModel

from tests.interaction.checkout_client import settings_for
from tests.interaction.mesh import Mesh, routing
from trunkline_branch_context.service import open_server
from trunkline_shared.contracts import READ, Policy
from trunkline_shared.server import ToolServer
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.git_repository import GitRepository
from trunkline_shared.testing.serving import serving
from trunkline_shared.tool import tool, tools_of

Json = dict[str, Any]
Says = Callable[[Json], Awaitable[Json]]

PULL: Json = {
    "pull_request": {
        "number": 41, "title": "Add login", "state": "open", "merged": False, "author": "ada",
        "base": "main", "head": "feature/login", "draft": False, "mergeable": True,
        "body": "Adds the login.", "url": "https://github.example/acme/widgets/pull/41",
        "head_sha": "a" * 40, "labels": ["login"], "changed_files": 2,
    },
    "reviews": [{"author": "bob", "state": "APPROVED"}],
    "checks": [{"name": "not told twice", "status": "completed", "conclusion": "failure"}],
    "review_decision": "approved",
}  # fmt: skip
CI: Json = {
    "head_sha": "a" * 40, "pr_number": 41, "summary": {"verdict": "failing"},
    "runs": [{"name": "CI", "status": "completed", "conclusion": "failure"}],
    "checks": [
        {"name": "test (3.11)", "status": "completed", "conclusion": "failure"},
        {"name": "lint", "status": "in_progress", "conclusion": None},
        {"name": "types", "status": "completed", "conclusion": "success"},
    ],
    "statuses": [{"context": "preview", "state": "pending"}], "notes": [],
}  # fmt: skip
ISSUE: Json = {
    "key": "PROJ-1", "summary": "Let people log in", "status": "In Progress",
    "assignee": "Ada Lovelace", "url": "https://jira.example/browse/PROJ-1",
    "description": "As a user I want to log in.", "comments": [{"body": "left out"}],
}  # fmt: skip


class Answered(BaseModel, extra="allow"):
    """Whatever a test wants."""


async def never(_: Json) -> Json:
    """Do not answer."""
    await asyncio.Event().wait()
    raise AssertionError


def says(answer: Mapping[str, Any]) -> Says:
    """Answer this."""

    async def answering(_: Json) -> Json:
        return dict(answer)

    return answering


def fails(error: Exception) -> Says:
    """Fail so."""

    async def failing(_: Json) -> Json:
        raise error

    return failing


@dataclass(kw_only=True)
class Voices:
    """What the other servers say, by tool, and what they were asked."""

    get_pr_status: Says = field(default_factory=lambda: says(PULL))
    get_ci_status: Says = field(default_factory=lambda: says(CI))
    get_jira_issue: Says = field(default_factory=lambda: says(ISSUE))
    asked: list[tuple[str, Json]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    async def answer(self, name: str, arguments: Json) -> Answered:
        told = {key: value for key, value in arguments.items() if value}
        self.asked.append((name, told))
        says_it: Says = getattr(self, name)
        try:
            return Answered(**await says_it(told))
        except asyncio.CancelledError:
            self.left.append(name)
            raise

    def asked_of(self, name: str) -> list[Json]:
        return [arguments for asked, arguments in self.asked if asked == name]


@dataclass(frozen=True)
class _Pulls:
    voices: Voices

    @tool("Pull request", READ, Policy(enforces=("pr_number", "branch")))
    async def get_pr_status(
        self, *, pr_number: int | None = None, branch: str = "", owner: str = "", repo: str = ""
    ) -> Answered:
        """Say how a pull request stands."""
        return await self.voices.answer(
            "get_pr_status",
            {"pr_number": pr_number, "branch": branch, "owner": owner, "repo": repo},
        )


@dataclass(frozen=True)
class _Ci:
    voices: Voices

    @tool("CI", READ, Policy(context_needs=("pr_number",), enforces=("pr_number",)))
    async def get_ci_status(
        self, *, pr_number: int | None = None, ref: str = "", owner: str = "", repo: str = ""
    ) -> Answered:
        """Say how CI stands."""
        return await self.voices.answer(
            "get_ci_status", {"pr_number": pr_number, "ref": ref, "owner": owner, "repo": repo}
        )


@dataclass(frozen=True)
class _Jira:
    voices: Voices

    @tool("Issue", READ, Policy())
    async def get_jira_issue(self, *, issue_key: str = "") -> Answered:
        """Read an issue."""
        return await self.voices.answer("get_jira_issue", {"issue_key": issue_key})


def servers_of(voices: Voices) -> Mapping[str, ToolServer]:
    """Return the servers that a context asks, by their ids."""
    holders = {"github": _Pulls(voices), "github_ci": _Ci(voices), "jira": _Jira(voices)}
    return {
        id_: ToolServer(id_, version="1", instructions="", tools=tools_of(holder))
        for id_, holder in holders.items()
    }


@dataclass(frozen=True, kw_only=True)
class Reader:
    """An agent that reads contexts and prompts through the router."""

    client: Client

    async def context(self, branch: str) -> Json:
        """Read a branch's context."""
        uri = f"twig://branch/{quote(branch, safe='')}/context"
        (content,) = (await self.client.read_resource(uri)).contents
        assert isinstance(content, TextResourceContents)
        answer: Json = json.loads(content.text)
        return answer

    async def prompt(self, name: str, **arguments: str) -> str:
        """Get a prompt's text."""
        content = (await self.client.get_prompt(name, arguments)).messages[0].content
        assert isinstance(content, TextContent)
        return content.text


@asynccontextmanager
async def reader(url: str) -> AsyncIterator[Reader]:
    """Connect to an endpoint of the router."""
    async with Client(url) as client:
        yield Reader(client=client)


@asynccontextmanager
async def composed(
    repository: GitRepository,
    servers: Mapping[str, ToolServer],
    *,
    part_s: float = 3,
    router: Mapping[str, Any] | None = None,
    **twig: object,
) -> AsyncIterator[Mesh]:
    """Run a router before twig on a checkout and the servers given."""
    settings = settings_for(repository, **twig)
    async with AsyncExitStack() as running:
        urls: dict[str, str] = {}
        opened = open_server(settings, in_process_store(), part_s=part_s)
        for id_, server in {"twig": await running.enter_async_context(opened), **servers}.items():
            urls[id_] = await running.enter_async_context(serving(server))
        yield await running.enter_async_context(routing(urls, **(router or {})))
