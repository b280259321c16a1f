"""What no call may do, whatever its arguments: write, leave its project, leave its issue."""

from typing import Any

import pytest

from tests.interaction.jira_reading import ISSUE, JiraAsking, either_flavour, reading
from trunkline_shared import meta
from trunkline_shared.testing.jira import RELATES, FlavourName, link, move

pytestmark = pytest.mark.anyio

BOUND: Any = {meta.BIND: {"issue_key": "me-1"}}
ASKING = ("/search", "/search/jql", "/search/approximate-count", "/jql/parse")
"""What of Jira is asked by POST and changes nothing."""


def assert_only_asked(asking: JiraAsking) -> None:
    """Check that nothing arrived that could have changed something."""
    for request in asking.jira.requests:
        asks = request.method == "GET" or request.path.endswith(ASKING)
        assert asks, f"{request.method} {request.path}"


@either_flavour
@pytest.mark.requirement("jira.never-writes")
async def test_no_tool_writes_unless_writes_are_on(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every tool that is listed says that it only reads, and does."""
    async with reading(flavour, monkeypatch) as asking:
        tools = (await asking.client.list_tools()).tools
        assert tools
        for tool in tools:
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is True
            await asking.raw(tool.name, **_plausible(tool.input_schema))
        assert_only_asked(asking)
        assert asking.sent("GET", ISSUE) > 0


@pytest.mark.requirement("jira.never-writes")
async def test_no_arguments_make_a_read_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn ones, for each tool that is listed without a write group."""
    async with reading("cloud", monkeypatch) as asking:
        tools = {one.name: one for one in (await asking.client.list_tools()).tools}

        async def ask(name: str, drawn: dict[str, object]) -> None:
            properties = tools[name].input_schema["properties"]
            known = {key: value for key, value in drawn.items() if key in properties}
            if not known:
                return
            await asking.raw(name, **{**_plausible(tools[name].input_schema), **known})
            assert_only_asked(asking)

        for name in tools:
            for drawn in _hostile_arguments():
                await ask(name, drawn)


def _plausible(schema: dict[str, Any]) -> dict[str, object]:
    """Return arguments with which a tool of Jira's does something."""
    said = {"issue_key": "ME-1", "project": "ME", "jql": "project = ME", "query": "ME"}
    return {name: said[name] for name in schema["properties"] if name in said}


def _hostile_arguments() -> list[dict[str, object]]:
    texts = ["POST", "ME-1/transitions", "ME-1?_method=DELETE", '"; DROP', "../myself", "\x00", "*"]
    names = ("issue_key", "project", "jql", "query", "status", "assignee", "cursor", "type")
    single: list[dict[str, object]] = [{name: text} for name in names for text in texts]
    return [*single, {"fields": ["*all"]}, {"fields": ["x" * 500]}]


@either_flavour
@pytest.mark.requirement("jira.keys")
@pytest.mark.parametrize(
    "key",
    [
        "ME-1/../../myself",
        "ME-1/transitions",
        "ME-1?expand=renderedFields",
        "../../../secure",
        "%2e%2e%2fmyself",
        "ME-1%00",
        "10001",
        "a" * 255,
    ],
)
async def test_a_hostile_key_is_refused_unsent(
    flavour: FlavourName, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be a part of the path."""
    async with reading(flavour, monkeypatch) as asking:
        for tool in ("get_jira_issue", "list_jira_comments"):
            failure = await asking.refused(tool, issue_key=key)
            assert failure["error_code"] == "INVALID_INPUT"
            assert failure["details"]["field_errors"][0]["field"] == "issue_key"
        assert asking.sent() == 0


@either_flavour
@pytest.mark.requirement("jira.keys")
@pytest.mark.parametrize("key", ["me1", "me-1", "ME-1: mend", "[ME-1] mend", "ME-1"])
async def test_a_key_is_taken_as_people_write_it(
    flavour: FlavourName, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One spelling goes to Jira and into the tags."""
    async with reading(flavour, monkeypatch) as asking:
        result = await asking.raw("get_jira_issue", issue_key=key)
        assert asking.jira.requests.matching("GET", ISSUE)[-1].path.endswith("/issue/ME-1")
        told: Any = (result.meta or {})[meta.REUSE]
        assert told["tags"] == ["jira:127.0.0.1:ME-1"]


@pytest.mark.requirement("jira.keys")
async def test_a_site_may_have_keys_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data Center's administrators choose the pattern."""
    pattern = r"[0-9][A-Z]-\d+"
    async with reading("data_center", monkeypatch, jira_key_pattern=pattern) as asking:
        asking.jira.state.add_issue(asking.jira.state.add_project("4X"), "Odd")
        assert (await asking.call("get_jira_issue", issue_key="4x-1"))["summary"] == "Odd"
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert "TRUNKLINE_JIRA_KEY_PATTERN" in failure["hint"]


@either_flavour
@pytest.mark.requirement("jira.default-key")
async def test_without_a_key_the_caller_learns_what_to_pass(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no router knows the branch's issue."""
    async with reading(flavour, monkeypatch) as asking:
        failure = await asking.refused("get_jira_issue")
        assert failure["error_code"] == "INVALID_INPUT"
        assert failure["details"]["field_errors"][0]["kind"] == "missing"
        assert "PROJ-123" in failure["hint"]


@pytest.mark.requirement("jira.default-key")
async def test_reads_of_an_issue_say_where_its_key_comes_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The router fills it in; it knows no service."""
    async with reading("cloud", monkeypatch) as asking:
        tools = {one.name: one for one in (await asking.client.list_tools()).tools}
        for name in ("get_jira_issue", "list_jira_comments"):
            policy: Any = (tools[name].meta or {})[meta.POLICY]
            assert policy["needs"] == ["issue_key"]
            assert policy["defaults"] == {"issue_key": "twig.get_current_branch#issue_key"}
            assert policy["reads"]["tags"] == [
                "jira:127.0.0.1:{issue_key}",
                "jira:127.0.0.1:written-issues",
            ]


@either_flavour
@pytest.mark.requirement("jira.allowlist")
async def test_an_issue_of_another_project_is_not_read(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator's list goes before the account's permissions."""
    async with reading(flavour, monkeypatch, jira_projects="WID, WEB_*") as asking:
        for tool in ("get_jira_issue", "list_jira_comments"):
            failure = await asking.refused(tool, issue_key="ME-1")
            assert failure["error_code"] == "BLOCKED_BY_POLICY"
            assert "WID, WEB_*" in failure["hint"]
        assert asking.sent() == 0


@either_flavour
@pytest.mark.requirement("jira.allowlist")
async def test_what_is_around_an_issue_does_not_leak_other_projects(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a link into a project that is not allowed only the key is told; a move is refused."""
    async with reading(flavour, monkeypatch, jira_projects="ME") as asking:
        state = asking.jira.state
        secret = state.add_project("SEC")
        link(state, asking.issue, RELATES, state.add_issue(secret, "Merger with Acme"))
        issue = await asking.call("get_jira_issue", issue_key="ME-1")
        (linked,) = issue["links"]
        assert (linked["key"], linked["hidden"], linked["summary"]) == ("SEC-1", True, "")
        assert "Merger" not in str(issue)
        move(state, asking.issue, secret)
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == "BLOCKED_BY_POLICY"


@either_flavour
async def test_a_bound_context_reads_its_issue_only(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any spelling of it; another one is refused unsent."""
    async with reading(flavour, monkeypatch) as asking:
        asking.jira.state.add_issue(asking.project, "Other")
        assert (await asking.call("get_jira_issue", issue_key="me1", meta=BOUND))["key"] == "ME-1"
        asking.jira.requests.clear()
        for tool in ("get_jira_issue", "list_jira_comments"):
            failure = await asking.refused(tool, issue_key="ME-2", meta=BOUND)
            assert failure["error_code"] == "BLOCKED_BY_POLICY"
        assert asking.sent() == 0


@either_flavour
async def test_a_result_names_every_issue_that_it_shows(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of a linked one makes the copy stale, too."""
    async with reading(flavour, monkeypatch) as asking:
        state = asking.jira.state
        link(state, asking.issue, RELATES, state.add_issue(asking.project, "Other"))
        result = await asking.raw("get_jira_issue", issue_key="ME-1")
        told: Any = (result.meta or {})[meta.REUSE]
        assert told["tags"] == ["jira:127.0.0.1:ME-1", "jira:127.0.0.1:ME-2"]
