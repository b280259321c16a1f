"""What the comment server lists, and how it answers without a credential or with bad arguments."""

from collections.abc import AsyncIterator, Mapping

import pytest
from mcp import MCPError

from tests.interaction.asking import failure_of
from tests.interaction.commenting import World, client_of, world
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

DEFAULT = ["update_comment", "create_comment", "upsert_comment", "list_comments"]
EVERYTHING = [*DEFAULT, "get_comment", "delete_comment", "add_reaction", "remove_reaction"]
READS = ["list_comments", "get_comment"]
WRITES = [name for name in EVERYTHING if name not in READS]
GOOD: Mapping[str, Mapping[str, object]] = {
    "update_comment": {"commentId": 1, "body": "a"},
    "create_comment": {"issue_number": 1, "body": "a"},
    "upsert_comment": {"issue_number": 1, "marker": "m", "body": "a"},
    "list_comments": {"issue_number": 1},
    "get_comment": {"comment_id": 1},
    "delete_comment": {"comment_id": 1, "confirm": True},
    "add_reaction": {"comment_id": 1, "content": "eyes"},
    "remove_reaction": {"comment_id": 1, "reaction_id": 1},
}
BAD: tuple[tuple[str, str, object], ...] = (
    ("update_comment", "commentId", 0),
    ("update_comment", "commentId", "abc"),
    ("update_comment", "commentId", True),
    ("update_comment", "body", ""),
    ("update_comment", "body", {"a": 1}),
    ("update_comment", "kind", "gist"),
    ("update_comment", "mode", "prepend"),
    ("update_comment", "if_unmodified_since", "yesterday"),
    ("update_comment", "if_unmodified_since", "2026-01-01T00:00:00"),
    ("create_comment", "issue_number", -1),
    ("create_comment", "issue_number", None),
    ("create_comment", "on_too_long", "shrink"),
    ("create_comment", "owner", "not/a name"),
    ("upsert_comment", "marker", ""),
    ("upsert_comment", "author_only", "perhaps"),
    ("list_comments", "per_page", 101),
    ("list_comments", "page", 0),
    ("list_comments", "order", "best"),
    ("list_comments", "fields", ["no_such_field"]),
    ("list_comments", "since", "soon"),
    ("get_comment", "comment_id", 1.5),
    ("get_comment", "comment", 1),
    ("delete_comment", "confirm", "maybe"),
    ("add_reaction", "content", "thumbsup"),
    ("remove_reaction", "reaction_id", []),
)


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


async def names(**settings: object) -> list[str]:
    async with client_of(**settings) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


async def test_the_default_catalogue_is_the_seeds_tool_and_its_three_companions() -> None:
    """Definitions are paid for in every turn: the rest is off until asked for."""
    assert await names() == DEFAULT


async def test_toolsets_and_write_groups_add_the_rest() -> None:
    """Each by its own name."""
    assert await names(toolsets="comments") == [*DEFAULT, "get_comment"]
    assert await names(toolsets="reactions") == [*DEFAULT, "add_reaction"]
    assert await names(enable_writes="delete") == [*DEFAULT, "delete_comment"]
    assert await names(toolsets="all", enable_writes="all") == EVERYTHING


async def test_read_only_lists_no_write() -> None:
    """Whatever else is named, the seed's own write included."""
    assert await names(read_only=True, toolsets="all", enable_writes="all") == READS


async def test_what_is_not_offered_is_an_unknown_tool() -> None:
    """A call of it is a protocol error, as of any name that is not listed."""
    async with client_of() as client:
        with pytest.raises(MCPError, match="Unknown tool: 'delete_comment'"):
            await client.call_tool("delete_comment", {"comment_id": 1, "confirm": True})


async def test_the_default_catalogue_costs_few_tokens() -> None:
    """Names, descriptions and input schemas, four bytes a token."""
    async with client_of() as client:
        tools = (await client.list_tools()).tools
    cost = sum(
        len(f"{t.name}{t.description}{t.model_dump_json(include={'input_schema'})}") for t in tools
    )
    assert cost / 4 < 1_500


async def test_every_tool_says_what_it_does_to_the_world(here: World) -> None:
    """All four hints are set, an output schema is there, and names stay short."""
    for tool in (await here.client.list_tools()).tools:
        assert tool.annotations is not None
        assert None not in {
            tool.annotations.read_only_hint,
            tool.annotations.destructive_hint,
            tool.annotations.idempotent_hint,
            tool.annotations.open_world_hint,
        }
        assert tool.output_schema is not None
        assert len(f"github_comment{tool.name}") <= 48


@pytest.mark.requirement("comment.credentials")
@pytest.mark.parametrize("tool", EVERYTHING)
async def test_without_a_credential_each_tool_is_listed_and_names_the_variable(
    tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This check comes before any other about the repository, a missing one included."""
    for variable in ("GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN_FILE", "GH_TOKEN_FILE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", "/nonexistent")
    async with client_of(toolsets="all", enable_writes="all") as client:
        assert tool in [t.name for t in (await client.list_tools()).tools]
        error = failure_of(await client.call_tool(tool, dict(GOOD[tool])))
    assert error["error_code"] == "CREDENTIALS_MISSING"
    assert "GITHUB_TOKEN" in error["message"]


@pytest.mark.requirement("errors.arguments")
@pytest.mark.parametrize(("tool", "argument", "value"), BAD)
async def test_bad_arguments_are_invalid_input_that_names_the_field(
    here: World, tool: str, argument: str, value: object
) -> None:
    """Our JSON, never pydantic's prose; and nothing is sent."""
    error = await here.refused(tool, **{**GOOD[tool], argument: value})
    assert error["error_code"] == "INVALID_INPUT"
    assert error["retryable"] is False
    assert error["details"]["field_errors"][0]["field"].partition(".")[0] == argument
    assert "pydantic" not in str(error)
    assert not here.github.requests.matching()


@pytest.mark.requirement("errors.arguments")
@pytest.mark.parametrize("tool", EVERYTHING)
async def test_missing_arguments_are_invalid_input(here: World, tool: str) -> None:
    """Each tool says which one it needs."""
    error = await here.refused(tool)
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["field_errors"][0]["kind"] == "missing"


@pytest.mark.requirement("comment.defaults")
@pytest.mark.parametrize("tool", WRITES)
async def test_a_write_is_never_sent_to_a_default_repository(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    """INVALID_INPUT says what to pass, though a default is configured."""
    async with world(github, monkeypatch, github_repository="acme/widgets") as here:
        error = failure_of(await here.client.call_tool(tool, dict(GOOD[tool])))
        assert error["error_code"] == "INVALID_INPUT"
        assert [e["field"] for e in error["details"]["field_errors"]] == ["owner", "repo"]
        assert not github.requests.matching()


@pytest.mark.requirement("comment.defaults")
async def test_a_read_has_the_configured_repository_as_its_default(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TRUNKLINE_GITHUB_REPOSITORY stands in for `owner` and `repo`."""
    async with world(github, monkeypatch, github_repository="acme/widgets") as here:
        here.issue.add_comment("hi", here.stranger)
        result = await here.client.call_tool("list_comments", {"issue_number": 1})
        assert not result.is_error


async def test_a_repository_off_the_list_is_not_touched(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TRUNKLINE_ALLOWED_REPOS stands over every argument."""
    async with world(github, monkeypatch, allowed_repos="acme/gadgets") as here:
        error = await here.refused("create_comment", issue_number=1, body="a")
        assert error["error_code"] == "BLOCKED_BY_POLICY"
        assert not github.requests.matching()
