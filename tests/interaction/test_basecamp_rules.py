"""What holds for all tools that read Basecamp: credentials, contexts, and that they only read."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, Tool

from tests.interaction.asking import failure_of, text_of
from tests.interaction.every_call import Arguments, calls_of
from tests.interaction.project_reading import TOKEN_VARIABLES, client_of
from tests.samples.basecamp_reads import KnownReads
from trunkline_shared import meta
from trunkline_shared.contracts import Policy
from trunkline_shared.testing.basecamp import BasecampStandIn, Demo, Message, seed_demo
from trunkline_shared.testing.basecamp.authorization import AuthorizationStandIn
from trunkline_shared.testing.basecamp.files import Document, Upload
from trunkline_shared.testing.basecamp.grants import Account as Granted
from trunkline_shared.testing.basecamp.recordings import Recording
from trunkline_shared.testing.basecamp.todos import Todo, Todolist
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

SEEDS = {
    "list_projects",
    "get_project_tools",
    "list_messages",
    "get_message",
    "list_todolists",
    "list_todos",
    "get_todo",
}
LATER_PHASE = {"list_documents", "get_document", "list_campfire_lines", "list_attachments"}
BEYOND = {
    "list_recording_comments": "activity",
    "list_recordings": "activity",
    "list_schedule_entries": "activity",
    "list_people": "people",
    "list_my_assignments": "people",
    "search": "search",
}
EVERY_TOOL = sorted(SEEDS | LATER_PHASE | BEYOND.keys())
BUDGET = 2500 * 4
KINDS: Mapping[str, type[Recording]] = {
    "message_id": Message,
    "todolist_id": Todolist,
    "todo_id": Todo,
    "document_id": Document,
    "recording_id": Message,
    "upload_id": Upload,
}


@dataclass(frozen=True, kw_only=True)
class Office:
    """The demo's account, and a client of the server before it."""

    basecamp: BasecampStandIn
    demo: Demo
    client: Client

    async def tools(self) -> list[Tool]:
        return (await self.client.list_tools()).tools

    async def tool(self, name: str) -> Tool:
        return next(tool for tool in await self.tools() if tool.name == name)

    def ids(self) -> dict[str, object]:
        """Return an id for each argument that names something, from the demo's project."""
        account, project = self.demo.account, self.demo.project
        ids: dict[str, object] = {
            name: [one.id for one in account.of_kind(kind)][-1] for name, kind in KINDS.items()
        }
        return ids | {
            "project_id": project.id,
            "bucket_id": project.id,
            "bucket": [project.id],
            "message_board_id": project.tool("message_board").id,
            "todoset_id": project.tool("todoset").id,
            "vault_id": project.tool("vault").id,
            "chat_id": project.tool("chat").id,
            "schedule_id": project.tool("schedule").id,
            "assignee_id": self.demo.token.person.id,
            "creator_id": self.demo.token.person.id,
            "fields": ["id"],
            "cursor": "",
        }

    async def call(self, tool: str, arguments: Arguments, **bound: object) -> CallToolResult:
        told: Any = {meta.BIND: bound} if bound else None
        result = await self.client.call_tool(tool, arguments, meta=told)
        assert isinstance(result, CallToolResult)
        return result


@asynccontextmanager
async def office(environment: pytest.MonkeyPatch, **settings: object) -> AsyncIterator[Office]:
    """Serve the project-reader before the demo's account."""
    clock = FakeClock()
    for variable in TOKEN_VARIABLES:
        environment.delenv(variable, raising=False)
    async with BasecampStandIn(clock=clock) as basecamp:
        demo = seed_demo(basecamp.state)
        environment.setenv("BASECAMP_ACCESS_TOKEN", demo.token.secret)
        given = {"basecamp_account_id": str(demo.account.id), "basecamp_api_url": basecamp.url}
        async with client_of(clock, **{**given, **settings}) as client:
            yield Office(basecamp=basecamp, demo=demo, client=client)


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    """The demo's account, with all tools offered."""
    async with office(monkeypatch) as made:
        yield made


@pytest.mark.requirement("basecamp.never-writes", "basecamp.known-paths", "basecamp.user-agent")
@pytest.mark.parametrize("name", EVERY_TOOL)
async def test_whatever_is_called_only_known_reads_leave(here: Office, name: str) -> None:
    """Each tool with every value of each argument: GET alone, and nothing that is not there."""
    known = KnownReads()
    for arguments in calls_of(await here.tool(name), here.ids()):
        result = await here.call(name, arguments)
        assert "INTERNAL_ERROR" not in text_of(result), arguments
    prefix = f"/{here.demo.account.id}"
    assert len(here.basecamp.requests)
    for asked in here.basecamp.requests:
        assert asked.method == "GET"
        assert asked.body == b""
        assert asked.path.startswith(prefix + "/")
        unknown = known.unknown(asked.path.removeprefix(prefix), dict(asked.query))
        assert unknown == [], asked.target
        product, _, contact = asked.headers["user-agent"].partition(" ")
        assert product.startswith("Trunkline/")
        assert contact.startswith("(http")
        assert asked.headers["accept"] == "application/json"


async def test_every_tool_answers_with_its_required_arguments_alone(here: Office) -> None:
    """No id of a board, set, vault or chat is needed; lists say where they end, twice."""
    for tool in await here.tools():
        arguments = next(calls_of(tool, here.ids()))
        result = await here.call(tool.name, arguments)
        assert not result.is_error, (tool.name, text_of(result))
        answer = result.structured_content
        assert answer is not None
        if tool.name.startswith("list_") or tool.name == "search":
            assert isinstance(answer["items"], list), tool.name
            assert answer["items"], tool.name
            assert answer["has_more"] is answer["page_info"]["has_more"]
            assert answer["page_info"]["returned"] == len(answer["items"])
            assert answer["source"]["fetched_at"]


@pytest.mark.requirement("basecamp.bound")
@pytest.mark.parametrize("name", EVERY_TOOL)
async def test_a_bound_context_learns_nothing_of_other_projects(here: Office, name: str) -> None:
    """From no tool, whatever it is asked for; ids of the other project are refused or unknown."""
    account = here.demo.account
    secret = account.add_project("Secret plans", "Not for your eyes")
    author = here.demo.token.person
    hidden = account.add_message(secret.tool("message_board"), "Takeover", author, "<div>x</div>")
    account.add_comment(hidden, author, "<div>Takeover of launch</div>")
    ids = here.ids() | {"message_id": hidden.id, "recording_id": hidden.id}
    for arguments in calls_of(await here.tool(name), ids):
        result = await here.call(name, arguments, project_id=here.demo.project.id)
        for word in ("Secret plans", "Takeover", str(secret.id)):
            assert word not in text_of(result), arguments


@pytest.mark.requirement("basecamp.credentials")
async def test_without_a_token_every_tool_is_listed_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It names the variable; nothing is asked."""
    async with office(monkeypatch) as here:
        monkeypatch.delenv("BASECAMP_ACCESS_TOKEN")
        for tool in await here.tools():
            arguments = next(calls_of(tool, here.ids()))
            error = failure_of(await here.call(tool.name, arguments, project_id=7))
            assert error["error_code"] == "CREDENTIALS_MISSING", tool.name
            assert "BASECAMP_ACCESS_TOKEN" in str(error)
        assert not len(here.basecamp.requests)


@pytest.mark.requirement("basecamp.credentials")
@pytest.mark.parametrize("accounts", [1, 2])
async def test_without_an_account_the_only_one_of_the_token_is_found(
    monkeypatch: pytest.MonkeyPatch, accounts: int
) -> None:
    """Of several, all are named, and the variable to choose one with."""
    async with (
        AuthorizationStandIn() as authorization,
        office(
            monkeypatch,
            basecamp_account_id="",
            basecamp_token_url=f"{authorization.url}/authorization/token",
        ) as here,
    ):
        grants = authorization.grants
        granted = grants.authorize()
        monkeypatch.setenv("BASECAMP_ACCESS_TOKEN", granted.access_token)
        state = here.basecamp.state
        state.grants, state.grantee = grants, here.demo.token.person
        own = here.demo.account
        href = f"{here.basecamp.url}/{own.id}"
        grants.accounts = [
            Granted(id=7, name="Old", href=f"{here.basecamp.url}/7", product="bcx"),
            *(Granted(id=own.id + n, name=f"Acme {n}", href=href) for n in range(accounts)),
        ]
        result = await here.call("list_projects", {})
        if accounts == 1:
            assert not result.is_error, text_of(result)
            assert "Widgets launch" in text_of(result)
        else:
            error = failure_of(result)
            assert error["error_code"] == "CREDENTIALS_MISSING"
            assert "BASECAMP_ACCOUNT_ID" in error["hint"]
            assert "Acme 0" in error["message"]
            assert "Acme 1" in error["message"]
            assert not len(here.basecamp.requests)


async def test_the_seeds_tools_are_offered_and_the_rest_when_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All of them only read, and say so; read-only mode changes nothing."""
    async with office(monkeypatch, toolsets="") as here:
        assert {tool.name for tool in await here.tools()} == SEEDS | LATER_PHASE
    async with office(monkeypatch, toolsets="people") as here:
        names = {tool.name for tool in await here.tools()}
        assert names == SEEDS | LATER_PHASE | {n for n, own in BEYOND.items() if own == "people"}
    async with office(monkeypatch, read_only=True) as here:
        tools = await here.tools()
        assert {tool.name for tool in tools} == SEEDS | LATER_PHASE | BEYOND.keys()
    for tool in tools:
        hints = tool.annotations
        assert hints is not None
        assert hints.read_only_hint is True
        assert hints.destructive_hint is False
        assert hints.idempotent_hint is True
        assert hints.open_world_hint is True
        policy = Policy.model_validate((tool.meta or {})[meta.POLICY])
        assert policy.writes is None
        assert policy.reads is not None
        assert policy.reads.ttl_s > 0
        assert all(tag.startswith(f"bc:{here.demo.account.id}") for tag in policy.reads.tags)


async def test_the_definitions_of_the_usual_tools_are_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every agent pays for them in every turn: 2,500 tokens of four bytes at the most."""
    async with office(monkeypatch, toolsets="") as here:
        definitions = [
            {"name": one.name, "description": one.description, "inputSchema": one.input_schema}
            for one in await here.tools()
        ]
    assert len(json.dumps(definitions, separators=(",", ":"))) <= BUDGET
