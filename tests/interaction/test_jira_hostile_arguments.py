"""Any argument of any Jira tool: a typed answer, and no request beyond what the tools are for."""

import re
from collections.abc import AsyncIterator, Mapping
from urllib.parse import unquote

import pytest
from hypothesis import given
from mcp_types import CallToolResult

from tests.interaction.hostile import ANY_CALLS, calls, code_of
from tests.interaction.jira_reading import logged_in
from trunkline_jira.app import open_server
from trunkline_jira.settings import JiraSettings
from trunkline_shared.errors import BY_CODE
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.jira import FlavourName, JiraStandIn, seed_demo

pytestmark = pytest.mark.anyio

ADDRESS = re.compile(
    r"/jira/rest/api/[23]/(serverInfo|myself|field|search(/jql|/approximate-count)?"
    r"|project(/search)?|user(/search|/assignable/search)?|issue/[A-Z0-9_]+-[0-9]+(/comment|/transitions)?)"
)


@pytest.fixture(params=["cloud", "data_center"])
async def jira(request: pytest.FixtureRequest) -> AsyncIterator[JiraStandIn]:
    """The demo's Jira, of each flavour."""
    flavour: FlavourName = request.param
    async with JiraStandIn(flavour=flavour, clock=FakeClock(), mount="/jira") as stand_in:
        seed_demo(stand_in.state)
        yield stand_in


@pytest.fixture
async def server(jira: JiraStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ToolServer]:
    """The server with all that it has to offer."""
    token = jira.state.tokens[0]
    logged_in(monkeypatch, token.user, token.secret, jira.state.flavour)
    options: Mapping[str, object] = {
        "jira_url": jira.url,
        "toolsets": "all",
        "enable_writes": "all",
        "netrc": "/nonexistent",
    }
    clock = FakeClock()
    async with open_server(load(JiraSettings, options), in_process_store(clock), clock) as running:
        yield running


@pytest.mark.requirement("jira.keys", "jira.errors")
@given(call=calls("jira"))
@ANY_CALLS
async def test_any_argument_gets_a_typed_answer_from_within_the_api(
    server: ToolServer, jira: JiraStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """An INTERNAL_ERROR would be an exception that nobody thought of."""
    tool, arguments = call
    jira.requests.clear()
    result = await server.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert code_of(result) in {"OK", *BY_CODE} - {"INTERNAL_ERROR"}, result
    for request in jira.requests:
        path = request.target.partition("?")[0]
        assert ADDRESS.fullmatch(path), path
        assert not {".", ".."} & {unquote(part) for part in path.split("/")}, path


@pytest.mark.requirement("jira.keys", "jira.errors")
@given(call=calls("jira", "issue_key", "project", "jql"))
@ANY_CALLS
async def test_any_other_argument_of_a_known_issue_gets_one_too(
    server: ToolServer, jira: JiraStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """With a key that is there, the rest of the arguments is looked at."""
    tool, arguments = call
    known = {"issue_key": "WID-2", "project": "WID", "jql": "project = WID"}
    tools = {one.name: one for one in await server.list_tools()}
    properties = tools[tool].input_schema["properties"]
    needed = {name: value for name, value in known.items() if name in properties}
    jira.requests.clear()
    result = await server.call_tool(tool, {**needed, **arguments})
    assert isinstance(result, CallToolResult)
    assert code_of(result) in {"OK", *BY_CODE} - {"INTERNAL_ERROR"}, result
    for request in jira.requests:
        assert ADDRESS.fullmatch(request.target.partition("?")[0]), request.target
