"""Which tools about pull requests are listed, and how they answer without a credential."""

from collections.abc import Mapping

import pytest

from tests.interaction.asking import HERE, failure_of
from tests.interaction.issue_tracking import client_of
from trunkline_shared import meta

pytestmark = pytest.mark.anyio

DEFAULT = {
    "github_pr_status",
    "get_pull_request",
    "get_pr_status",
    "list_pull_requests",
    "github_get_pr_diff",
    "list_pr_files",
    "github_create_pr",
}
CHANGES = {"request_reviewers", "update_pull_request", "set_draft"}
GOOD: Mapping[str, Mapping[str, object]] = {
    "github_pr_status": {"pr_number": 1},
    "get_pull_request": {"branch": "mend"},
    "get_pr_status": {},
    "list_pull_requests": {},
    "github_get_pr_diff": {"pr_number": 1},
    "list_pr_files": {"pr_number": 1},
    "github_create_pr": {"title": "T", "body": "", "base": "main", "head": "x"},
    "request_reviewers": {"pr_number": 1, "reviewers": ["ann"]},
    "update_pull_request": {"pr_number": 1, "title": "T"},
    "set_draft": {"pr_number": 1, "draft": True},
}
BAD: tuple[tuple[str, str, object], ...] = (
    ("github_get_pr_diff", "max_size", 1_023),
    ("github_get_pr_diff", "offset", -1),
    ("github_get_pr_diff", "offset", True),
    ("github_get_pr_diff", "max_size", True),
    ("github_get_pr_diff", "format", "patch"),
    ("github_get_pr_diff", "paths", "a.py"),
    ("github_get_pr_diff", "pr_number", 0),
    ("github_pr_status", "pr_number", True),
    ("get_pull_request", "pr_number", "two"),
    ("list_pr_files", "limit", 101),
    ("list_pr_files", "fields", ["no_such_field"]),
    ("list_pull_requests", "state", "merged"),
    ("list_pull_requests", "sort", "best"),
    ("list_pull_requests", "head", "a b"),
    ("list_pull_requests", "cursor", "x"),
    ("github_create_pr", "if_exists", "update"),
    ("github_create_pr", "draft", "perhaps"),
    ("update_pull_request", "state", "merged"),
    ("set_draft", "draft", None),
)


async def names(**settings: object) -> set[str]:
    async with client_of(**settings) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
    return listed & (DEFAULT | CHANGES)


async def test_the_seeds_tools_are_there_and_the_other_writes_wait_to_be_named() -> None:
    """By their write group."""
    assert await names() == DEFAULT
    assert await names(enable_writes="issues") == DEFAULT | CHANGES
    assert await names(toolsets="all", enable_writes="all", read_only=True) == DEFAULT - {
        "github_create_pr"
    }


async def test_reads_declare_where_their_pull_request_comes_from() -> None:
    """The router finds it by the branch that is checked out; writes have no default."""
    async with client_of(toolsets="all", enable_writes="all") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    for name in DEFAULT - {"github_create_pr", "list_pull_requests"}:
        policy = (tools[name].meta or {})[meta.POLICY]
        assert policy["needs"] == ["owner", "repo", "pr_number|branch"]
        assert policy["defaults"]["branch"] == "twig.get_current_branch#branch"
    for name in CHANGES | {"github_create_pr"}:
        assert "defaults" not in (tools[name].meta or {})[meta.POLICY]


async def test_the_default_catalogue_of_the_server_costs_few_tokens() -> None:
    """Names, descriptions and input schemas, four bytes a token."""
    async with client_of() as client:
        tools = (await client.list_tools()).tools
    cost = sum(
        len(f"{t.name}{t.description}{t.model_dump_json(include={'input_schema'})}") for t in tools
    )
    assert cost / 4 <= 2_500


@pytest.mark.requirement("pull.credentials")
@pytest.mark.parametrize("tool", GOOD)
async def test_without_a_credential_each_tool_is_listed_and_names_the_variable(
    tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything else about the repository or the pull request."""
    monkeypatch.setenv("PATH", "/nonexistent")
    for name in ("GITHUB_TOKEN", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    async with client_of(toolsets="all", enable_writes="all") as client:
        for arguments in ({**HERE, **GOOD[tool]}, GOOD[tool]):
            error = failure_of(await client.call_tool(tool, dict(arguments)))
            assert error["error_code"] == "CREDENTIALS_MISSING"
            assert "GITHUB_TOKEN" in str(error)


@pytest.mark.parametrize(("tool", "field", "value"), BAD)
async def test_a_bad_argument_is_named(
    tool: str, field: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In our words, before anything is sent."""
    monkeypatch.setenv("GITHUB_TOKEN", "t")
    async with client_of(
        toolsets="all", enable_writes="all", github_api_url="http://127.0.0.1:9"
    ) as client:
        result = await client.call_tool(tool, {**HERE, **GOOD[tool], field: value})
    error = failure_of(result)
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["field_errors"][0]["field"].partition(".")[0] == field
