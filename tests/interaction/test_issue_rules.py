"""What holds for all tools about issues: credentials, contexts, limits, secrets."""

import json
from collections.abc import AsyncIterator

import pytest

from tests.interaction.asking import failure_of
from tests.interaction.issue_tracking import ISSUES, Tracking, client_of, names_of, tracking
from trunkline_shared import meta
from trunkline_shared.contracts import Policy
from trunkline_shared.testing.github import GitHubStandIn, secondary_limit

pytestmark = pytest.mark.anyio

EVERY_TOOL: dict[str, dict[str, object]] = {
    "github_list_issues": {},
    "github_get_issue": {"issue_number": 1},
    "github_add_labels": {"issue_number": 1, "labels": ["bug"]},
    "github_close_issue": {"issue_number": 1},
    "search_issues": {"query": "x"},
    "create_issue": {"title": "x"},
    "update_issue": {"issue_number": 1, "title": "x"},
    "reopen_issue": {"issue_number": 1},
    "remove_label": {"issue_number": 1, "name": "bug"},
    "list_labels": {},
}
WRITES = ("github_add_labels", "github_close_issue", "update_issue", "reopen_issue", "remove_label")


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tracking]:
    """The usual repository."""
    async with tracking(github, monkeypatch) as made:
        yield made


@pytest.mark.parametrize("tool", EVERY_TOOL)
async def test_without_a_token_every_tool_says_so(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    """Before any other check about the repository."""
    for variable in ("GITHUB_TOKEN", "GH_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", "")
    options = {"github_api_url": github.url, "toolsets": "all", "enable_writes": "all"}
    async with client_of(**options) as client:
        result = await client.call_tool(tool, {**EVERY_TOOL[tool], "repo": "../.."})
    error = failure_of(result)
    assert error["error_code"] == "CREDENTIALS_MISSING"
    assert "GITHUB_TOKEN" in str(error)


@pytest.mark.requirement("issues.rate-limit-alias")
@pytest.mark.parametrize("tool", EVERY_TOOL)
async def test_a_rate_limit_has_the_seeds_code_and_seconds(here: Tracking, tool: str) -> None:
    """`isError` inside the JSON, RATE_LIMIT as an alias, `retry_after_seconds`."""
    here.github.faults.add(secondary_limit(retry_after=600), times=99)
    error = await here.refused(tool, **EVERY_TOOL[tool])
    assert error["isError"] is True
    assert error["error_code"] == "RATE_LIMITED"
    assert error["details"]["aliases"] == ["RATE_LIMIT"]
    assert error["retry_after_seconds"] == error["retry_after"] == 600


async def test_the_seeds_tools_are_there_and_further_writes_only_when_named(
    github: GitHubStandIn,
) -> None:
    """`issues` names both the write group and the toolset of the rest."""

    async def offered(**settings: object) -> set[str]:
        async with client_of(github_api_url=github.url, **settings) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
        return names & EVERY_TOOL.keys()

    seeds = {
        "github_list_issues",
        "github_get_issue",
        "github_add_labels",
        "github_close_issue",
        "search_issues",
    }
    assert await offered() == seeds
    assert await offered(toolsets="issues") == seeds | {"list_labels"}
    assert await offered(enable_writes="issues") == EVERY_TOOL.keys() - {"list_labels"}
    assert await offered(read_only=True) == {
        "github_list_issues",
        "github_get_issue",
        "search_issues",
    }


async def test_reads_know_a_default_repository_and_writes_do_not(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write is never sent to a place that nobody named."""
    async with tracking(github, monkeypatch, github_repository="acme/widgets") as here:
        listed = await here.client.call_tool("github_list_issues", {})
        assert listed.structured_content is not None
        assert names_of(listed.structured_content["issues"]) == ["Broken"]
        for tool in (*WRITES, "create_issue"):
            result = await here.client.call_tool(tool, EVERY_TOOL[tool])
            error = failure_of(result)
            assert error["error_code"] == "INVALID_INPUT", tool
        assert all(r.method == "GET" for r in github.requests)


async def test_every_read_declares_its_reuse_and_every_write_what_it_spoils(
    here: Tracking,
) -> None:
    """A list carries the tag that each write of an issue bumps."""
    tools = {tool.name: tool for tool in (await here.client.list_tools()).tools}
    for name in EVERY_TOOL:
        policy = Policy.model_validate((tools[name].meta or {})[meta.POLICY])
        assert (policy.reads is None) is not (policy.writes is None), name
        assert policy.needs[:2] == ("owner", "repo")
        if policy.reads is not None:
            assert policy.reads.ttl_s > 0
            assert policy.defaults == {
                "owner": "settings#github_owner",
                "repo": "settings#github_name",
            }
        if policy.writes is not None:
            assert "gh:{owner}/{repo}:issues" in policy.writes.tags


async def test_a_context_of_one_number_reaches_no_other(here: Tracking) -> None:
    """Neither reads nor writes, and nothing new is opened from it."""
    bound = {meta.BIND: {"owner": "acme", "repo": "widgets", "pr_number": 2}}
    for tool in (*WRITES, "github_get_issue", "create_issue"):
        error = await here.refused(tool, meta=bound, **EVERY_TOOL[tool])
        assert error["error_code"] == "BLOCKED_BY_POLICY", tool
    assert not len(here.github.requests)
    await here.call("github_get_issue", issue_number=2, meta=bound)


async def test_a_secret_leaves_in_no_argument(here: Tracking) -> None:
    """Titles, bodies, comments, labels and queries."""
    secret = "ghp_" + "a1B2" * 9
    for tool, arguments in (
        ("create_issue", {"title": secret}),
        ("update_issue", {"issue_number": 1, "body": secret}),
        ("github_close_issue", {"issue_number": 1, "comment": secret}),
        ("github_add_labels", {"issue_number": 1, "labels": [secret]}),
        ("search_issues", {"query": secret}),
    ):
        error = await here.refused(tool, **arguments)
        assert error["error_code"] == "BLOCKED_BY_POLICY", tool
        assert secret not in json.dumps(error)
    assert not here.sent("*", ISSUES)
