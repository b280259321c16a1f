"""What the tools about review comments may not do, and what they declare."""

from collections.abc import AsyncIterator, Mapping

import pytest
from mcp_types import Tool

from tests.interaction.asking import failure_of
from tests.interaction.inline_reviewing import HERE, World, client_of, world
from trunkline_shared import meta
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

SECRET = "ghp_" + "a1B2" * 9
PLACE = {"path": "src/app.py", "line": 5, "body": "Why?"}
TAGS = {
    "gh:{owner}/{repo}#{pr_number}:reviews",
    "gh:{owner}/{repo}:comments",
}
WRITERS = ("create_inline_comment", "update_review_comment", "delete_review_comment")
READERS = ("get_commentable_lines", "list_review_comments")


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("inline.secrets-out")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_inline_comment", PLACE | {"body": f"see {SECRET}"}),
        ("create_inline_comment", PLACE | {"dedupe_key": SECRET}),
        ("create_inline_comment", PLACE | {"body": f"<!-- trunkline:marker={SECRET} -->\nx"}),
        ("update_review_comment", {"comment_id": 1, "body": f"see {SECRET}"}),
    ],
)
async def test_a_secret_is_refused_before_anything_is_sent(
    here: World, tool: str, arguments: dict[str, object]
) -> None:
    """BLOCKED_BY_POLICY names the kind of secret and never repeats it."""
    error = await here.refused(tool, **arguments)
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert SECRET not in str(error)
    assert not here.github.requests.matching()


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("create_inline_comment", PLACE | {"body": " \n\t"}, "INVALID_INPUT"),
        (
            "create_inline_comment",
            PLACE | {"body": "<!-- trunkline:marker=m -->\n"},
            "INVALID_INPUT",
        ),
        ("create_inline_comment", PLACE | {"body": "x" * 65_530}, "TOO_LARGE"),
        ("create_inline_comment", PLACE | {"body": "\U0001f600" * 65_500}, "TOO_LARGE"),
        ("update_review_comment", {"comment_id": 1, "body": "\n"}, "INVALID_INPUT"),
    ],
)
async def test_a_text_that_github_would_refuse_is_refused_here(
    here: World, tool: str, arguments: dict[str, object], code: str
) -> None:
    """Blank or, with its marker, too long in characters or bytes."""
    error = await here.refused(tool, **arguments)
    assert error["error_code"] == code
    assert not here.github.requests.matching()


@pytest.mark.requirement("inline.binding")
async def test_a_comment_of_another_pull_request_is_out_of_reach(here: World) -> None:
    """A context bound to one pull request changes and deletes nothing of another."""
    other = here.repository.add_pull("Other", here.stranger)
    comment = other.add_review_comment("old", here.me, path="a.py", line=1)
    named = {"comment_id": comment.id}
    bound = {meta.BIND: {"owner": "acme", "repo": "widgets", "pr_number": 2}}
    for tool, arguments in (
        ("update_review_comment", {"body": "new"}),
        ("delete_review_comment", {"confirm": True}),
    ):
        error = await here.refused(tool, meta=bound, **named, **arguments)
        assert error["error_code"] == "BLOCKED_BY_POLICY", tool
        error = await here.refused(tool, **named, **arguments)
        assert error["error_code"] == "INVALID_INPUT", tool
        assert f"pr_number={other.number}" in error["hint"]
    assert comment.body == "old"
    await here.call("update_review_comment", **named, body="new", pr_number=other.number)
    assert comment.body == "new"


@pytest.mark.requirement("inline.binding")
async def test_another_pull_request_than_the_bound_one_is_out_of_reach(here: World) -> None:
    """Whatever the arguments say, the context stands."""
    bound = {meta.BIND: {"owner": "acme", "repo": "widgets", "pr_number": 3}}
    for tool, arguments in (
        ("create_inline_comment", PLACE),
        ("get_commentable_lines", {}),
        ("list_review_comments", {}),
    ):
        error = await here.refused(tool, meta=bound, **arguments)
        assert error["error_code"] == "BLOCKED_BY_POLICY", tool
    assert not here.github.requests.matching()


async def test_writes_have_no_default_repository(here: World) -> None:
    """INVALID_INPUT says what to pass."""
    arguments = {**PLACE, "pr_number": 2}
    result = await here.client.call_tool("create_inline_comment", arguments)
    error = failure_of(result)
    assert error["error_code"] == "INVALID_INPUT"
    assert {one["field"] for one in error["details"]["field_errors"]} == {"owner", "repo"}


async def test_without_a_token_every_tool_says_so_first() -> None:
    """The tools are listed and answer CREDENTIALS_MISSING, before anything about the repository."""
    async with client_of(FakeClock(), toolsets="all", enable_writes="all") as client:
        for tool, arguments in (
            ("create_inline_comment", HERE | PLACE),
            ("get_commentable_lines", HERE),
            ("list_review_comments", HERE),
            ("update_review_comment", {**HERE, "comment_id": 1, "body": "x"}),
            ("delete_review_comment", {**HERE, "comment_id": 1, "confirm": True}),
        ):
            error = failure_of(await client.call_tool(tool, arguments))
            assert error["error_code"] == "CREDENTIALS_MISSING", tool
            assert "GITHUB_TOKEN" in error["hint"]


async def declared(world: World) -> Mapping[str, Tool]:
    """Return the tools by name."""
    return {tool.name: tool for tool in (await world.client.list_tools()).tools}


async def test_policies_name_what_is_read_and_written(here: World) -> None:
    """Tags, needs, the context, and where reads find what they were not told."""
    tools = await declared(here)
    policies = {name: (tools[name].meta or {})[meta.POLICY] for name in (*WRITERS, *READERS)}
    for name in (*WRITERS, *READERS):
        assert policies[name]["context_needs"] == ["pr_number"], name
        assert policies[name]["needs"] == ["owner", "repo", "pr_number"], name
    for name in WRITERS:
        assert set(policies[name]["writes"]["tags"]) == TAGS
        assert "defaults" not in policies[name]
    assert policies["get_commentable_lines"]["reads"]["tags"] == [
        "gh:{owner}/{repo}#{pr_number}:diff",
        "gh:{owner}/{repo}:branches/{base_ref}",
    ]
    assert policies["list_review_comments"]["reads"]["tags"] == [
        "gh:{owner}/{repo}#{pr_number}:reviews",
        "gh:{owner}/{repo}:edited-comments",
    ]
    for name in READERS:
        assert set(policies[name]["defaults"]) == {"owner", "repo", "pr_number"}
    for name in WRITERS[1:]:
        assert "pr_number" in policies[name]["enforces"]


async def test_what_is_destructive_says_so_and_is_off_until_named(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By default the seed's tool and the lines that it can use; nothing that deletes."""
    options = {"toolsets": "", "enable_writes": ""}
    async with world(github, monkeypatch, **options) as here:
        names = set(await declared(here))
    assert {"create_inline_comment", "get_commentable_lines"} <= names
    assert not names & {"list_review_comments", "update_review_comment", "delete_review_comment"}
