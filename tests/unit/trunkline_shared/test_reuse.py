"""A result that says how long it may be used again."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from mcp import Client
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import BaseModel, ValidationError

from trunkline_shared import meta
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.errors import NotFound
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.server import ToolServer
from trunkline_shared.testing.serving import serving
from trunkline_shared.tool import tool, tools_of

pytestmark = pytest.mark.anyio


class Run(BaseModel):
    """A result."""

    state: str


@dataclass(frozen=True, slots=True)
class Runs:
    """A tool whose results differ in how long they live."""

    @tool("Get run", READ, Policy(reads=Reads(ttl_s=60)))
    async def get_run(self, *, run_id: int, context: Context[None, object]) -> Reusable[Run]:
        """Read a run."""
        if run_id == 0:
            raise NotFound("run 0 is not there")
        assert context.request_id
        if run_id == 1:
            return Reusable(Run(state="completed"), Reuse(immutable=True))
        return Reusable(Run(state="in_progress"), Reuse(ttl_s=10, tags=("gh:o/r:runs/2",)))

    @tool("Peek", READ, Policy())
    async def peek(self) -> Run:
        """Read a run without a word about its reuse."""
        return Run(state="queued")


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """A client of a server with those tools."""
    server = ToolServer("runs", version="1", instructions="", tools=tools_of(Runs()))
    async with serving(server) as url, Client(f"{url}/mcp") as connected:
        yield connected


async def _called(client: Client, tool_name: str, **arguments: object) -> CallToolResult:
    result = await client.call_tool(tool_name, arguments)
    assert isinstance(result, CallToolResult)
    return result


async def test_a_result_carries_its_own_reuse_in_its_meta(client: Client) -> None:
    """The router can read from a result that it lives for 10 s, and what spoils it."""
    result = await _called(client, "get_run", run_id=2)

    assert result.structured_content == {"state": "in_progress"}
    assert (result.meta or {})[meta.REUSE] == {"ttl_s": 10, "tags": ["gh:o/r:runs/2"]}


async def test_an_immutable_result_says_so_and_nothing_else(client: Client) -> None:
    """What cannot change needs no time to live."""
    result = await _called(client, "get_run", run_id=1)

    assert (result.meta or {})[meta.REUSE] == {"immutable": True}


async def test_a_tool_that_may_narrow_its_reuse_shows_its_models_schema(client: Client) -> None:
    """Neither the wrapper nor the server's context appears in what an agent sees."""
    (tool_listed,) = (t for t in (await client.list_tools()).tools if t.name == "get_run")

    assert set(tool_listed.input_schema["properties"]) == {"run_id"}
    assert tool_listed.output_schema is not None
    assert set(tool_listed.output_schema["properties"]) == {"state"}
    assert tool_listed.description == "Read a run."


async def test_a_failure_carries_no_reuse(client: Client) -> None:
    """Errors are never kept."""
    result = await _called(client, "get_run", run_id=0)

    assert result.is_error
    assert meta.REUSE not in (result.meta or {})


async def test_a_tool_that_says_nothing_leaves_its_declared_reuse(client: Client) -> None:
    """The declaration stands when a result adds nothing to it."""
    assert meta.REUSE not in ((await _called(client, "peek")).meta or {})


def test_a_reuse_that_contradicts_itself_is_refused() -> None:
    """A result cannot be both kept for a time and not kept."""
    with pytest.raises(ValidationError, match="name one of"):
        Reuse(ttl_s=10, no_store=True)
