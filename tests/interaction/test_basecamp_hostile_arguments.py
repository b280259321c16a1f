"""Any argument of any Basecamp tool: a typed answer, and no request beyond the tools' own reads."""

from collections.abc import AsyncIterator, Mapping
from urllib.parse import unquote

import pytest
from hypothesis import given
from mcp_types import CallToolResult

from tests.interaction.hostile import ANY_CALLS, calls, code_of
from tests.interaction.project_reading import TOKEN_VARIABLES
from tests.samples.basecamp_reads import KnownReads
from trunkline_project_reader.app import open_server
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_shared.errors import BY_CODE
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.basecamp import BasecampStandIn, Demo, seed_demo
from trunkline_shared.testing.basecamp.files import Document
from trunkline_shared.testing.basecamp.recordings import Message
from trunkline_shared.testing.basecamp.todos import Todo, Todolist
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

READS = KnownReads()


@pytest.fixture
async def basecamp() -> AsyncIterator[BasecampStandIn]:
    """An empty Basecamp."""
    async with BasecampStandIn(clock=FakeClock()) as stand_in:
        yield stand_in


@pytest.fixture
def demo(basecamp: BasecampStandIn) -> Demo:
    """The demo's account in it."""
    return seed_demo(basecamp.state)


@pytest.fixture
async def server(
    basecamp: BasecampStandIn, demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ToolServer]:
    """The server with all that it has to offer."""
    for variable in TOKEN_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("BASECAMP_ACCESS_TOKEN", demo.token.secret)
    given = {
        "basecamp_api_url": basecamp.url,
        "basecamp_account_id": str(demo.account.id),
        "toolsets": "all",
    }
    settings, clock = load(ProjectReaderSettings, given), FakeClock()
    async with open_server(settings, in_process_store(clock), clock) as running:
        yield running


def known_ids(demo: Demo) -> Mapping[str, object]:
    """Return ids that are there, by the arguments that take them."""
    account, project = demo.account, demo.project
    return {
        "project_id": project.id,
        "message_id": next(account.of_kind(Message)).id,
        "todolist_id": next(account.of_kind(Todolist)).id,
        "todo_id": next(account.of_kind(Todo)).id,
        "document_id": next(account.of_kind(Document)).id,
        "recording_id": next(account.of_kind(Message)).id,
        "type": "Todo",
        "q": "launch",
    }


def require_known_reads(basecamp: BasecampStandIn, demo: Demo) -> None:
    """Check that nothing was asked but what Basecamp has, in the one account."""
    prefix = f"/{demo.account.id}"
    for request in basecamp.requests:
        assert request.method == "GET"
        assert request.path.startswith(f"{prefix}/"), request.target
        assert not {".", ".."} & {unquote(part) for part in request.path.split("/")}
        unknown = READS.unknown(request.path.removeprefix(prefix), dict(request.query))
        assert unknown == [], request.target


@pytest.mark.requirement("basecamp.never-writes", "basecamp.known-paths")
@given(call=calls("basecamp"))
@ANY_CALLS
async def test_any_argument_gets_a_typed_answer_from_within_the_account(
    server: ToolServer, basecamp: BasecampStandIn, demo: Demo, call: tuple[str, dict[str, object]]
) -> None:
    """An INTERNAL_ERROR would be an exception that nobody thought of."""
    tool, arguments = call
    basecamp.requests.clear()
    result = await server.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert code_of(result) in {"OK", *BY_CODE} - {"INTERNAL_ERROR"}, result
    require_known_reads(basecamp, demo)


KNOWN = (
    *("project_id", "message_id", "todolist_id", "todo_id", "document_id", "recording_id"),
    *("type", "q"),
)


@pytest.mark.requirement("basecamp.never-writes", "basecamp.known-paths")
@given(call=calls("basecamp", *KNOWN))
@ANY_CALLS
async def test_any_other_argument_beside_known_ids_gets_one_too(
    server: ToolServer, basecamp: BasecampStandIn, demo: Demo, call: tuple[str, dict[str, object]]
) -> None:
    """With ids that are there, the rest of the arguments is looked at."""
    tool, arguments = call
    tools = {one.name: one for one in await server.list_tools()}
    properties = tools[tool].input_schema["properties"]
    needed = {name: value for name, value in known_ids(demo).items() if name in properties}
    basecamp.requests.clear()
    result = await server.call_tool(tool, {**needed, **arguments})
    assert isinstance(result, CallToolResult)
    assert code_of(result) in {"OK", *BY_CODE} - {"INTERNAL_ERROR"}, result
    require_known_reads(basecamp, demo)
