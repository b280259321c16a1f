"""Arguments that make no sense: each tool of branch-context answers INVALID_INPUT by field."""

from pathlib import Path

import pytest

from tests.interaction.checkout_client import checkout_client
from trunkline_shared.testing.git_repository import GitRepository

pytestmark = pytest.mark.anyio

BAD = [
    ("get_current_branch", {"branch": "main"}, "branch"),
    ("get_branch_metadata", {}, "branch"),
    ("get_branch_metadata", {"branch": ""}, "branch"),
    ("get_branch_metadata", {"branch": 5}, "branch"),
    ("get_branch_metadata", {"branch": "x" * 1025}, "branch"),
    ("get_branch_tree", {"branch": ["main"]}, "branch"),
    ("get_branch_tree", {"max_depth": -1}, "max_depth"),
    ("get_branch_tree", {"max_depth": "deep"}, "max_depth"),
    ("get_branch_tree", {"style": "fancy"}, "style"),
    ("get_branch_tree", {"include_orphans": "perhaps"}, "include_orphans"),
    ("get_branch_stack", {"branch": 7}, "branch"),
    ("get_branch_stack", {"branches": "main"}, "branches"),
    ("list_branches", {"stale_days": -1}, "stale_days"),
    ("list_branches", {"page": 0}, "page"),
    ("list_branches", {"fields": "branch"}, "fields"),
    ("list_branches", {"fields": ["brunch"]}, "fields"),
    ("list_repositories", {"fields": ["nope"]}, "fields"),
    ("list_repositories", {"path": "/"}, "path"),
    ("get_worktrees", {"fields": [5]}, "fields.0"),
    ("resolve_branch", {}, "pr_number"),
    ("resolve_branch", {"pr_number": 0}, "pr_number"),
    ("resolve_branch", {"pr_number": 1.5}, "pr_number"),
    ("resolve_branch", {"issue_key": 7}, "issue_key"),
    ("get_branch_divergence", {}, "branch"),
    ("get_branch_divergence", {"branch": "main", "base": {}}, "base"),
]


@pytest.mark.parametrize(("tool", "arguments", "field"), BAD)
async def test_a_bad_argument_is_named(
    tmp_path: Path, tool: str, arguments: dict[str, object], field: str
) -> None:
    """The field is named in our words; nothing of pydantic or the SDK shows."""
    repository = GitRepository.at(tmp_path)
    async with checkout_client(repository) as twig:
        error = await twig.refused(tool, **arguments)
    assert error["error_code"] == "INVALID_INPUT"
    assert [each["field"] for each in error["details"]["field_errors"]] == [field]
    assert "pydantic" not in repr(error)


async def test_every_tool_is_read_only_and_stays_on_this_machine(tmp_path: Path) -> None:
    """Annotations, policy and toolset of each tool; the second toolset is off until named."""
    repository = GitRepository.at(tmp_path)
    async with checkout_client(repository) as twig:
        tools = (await twig.client.list_tools()).tools
    async with checkout_client(repository, toolsets="") as twig:
        default = (await twig.client.list_tools()).tools
    for tool in tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.idempotent_hint is True
        assert tool.annotations.open_world_hint is False
        assert tool.output_schema is not None
        assert (tool.meta or {})["dev.trunkline/policy"]["reads"]["ttl_s"] == 0
    assert {tool.name for tool in tools} - {tool.name for tool in default} == {
        "resolve_branch",
        "get_branch_divergence",
    }
    assert {tool.name for tool in tools} == {name for name, _, _ in BAD}
