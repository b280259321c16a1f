"""What may not be written, and where."""

from collections.abc import AsyncIterator

import pytest

from tests.interaction.commenting import World, world
from trunkline_shared import meta
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("comment.secrets-out")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("update_comment", {"commentId": 1}),
        ("create_comment", {"issue_number": 1}),
        ("upsert_comment", {"issue_number": 1, "marker": "m"}),
    ],
)
async def test_a_secret_is_refused_before_anything_is_sent(
    here: World, tool: str, arguments: dict[str, object]
) -> None:
    """BLOCKED_BY_POLICY names the kind of secret and never repeats it."""
    error = await here.refused(tool, body=f"the token is {TOKEN}", **arguments)
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert error["details"]["kinds"] == ["GitHub token"]
    assert TOKEN not in str(error)
    assert not here.github.requests.matching()


@pytest.mark.requirement("comment.empty-body")
@pytest.mark.parametrize("body", [" ", "\n\t", "<!-- trunkline:marker=m -->\n"])
async def test_a_blank_body_is_refused_here(here: World, body: str) -> None:
    """GitHub's 422 is not needed to know it."""
    error = await here.refused("create_comment", issue_number=1, body=body)
    assert error["error_code"] == "INVALID_INPUT"
    assert not here.github.requests.matching()


@pytest.mark.requirement("comment.closed-doors")
async def test_a_locked_conversation_and_an_archived_repository_are_permission_denied(
    here: World,
) -> None:
    """403 with a reason that an agent can tell apart."""
    here.issue.locked = True
    here.repository.grant(here.me, "read")
    locked = await here.refused("create_comment", issue_number=1, body="a")
    here.repository.archived = True
    archived = await here.refused("create_comment", issue_number=2, body="a")
    assert (locked["error_code"], locked["details"]["reason"]) == ("PERMISSION_DENIED", "locked")
    assert archived["details"]["reason"] == "archived"


@pytest.mark.requirement("comment.closed-doors")
async def test_without_issues_comments_on_pull_requests_still_work(here: World) -> None:
    """410 for the issue, with a hint; the pull request takes its comment."""
    here.repository.has_issues = False
    error = await here.refused("create_comment", issue_number=1, body="a")
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "issues_disabled")
    await here.call("create_comment", issue_number=2, body="a")
    assert len(here.pull.comments) == 1


@pytest.mark.requirement("comment.closed-doors")
async def test_a_transferred_issue_takes_no_write_at_its_old_place(here: World) -> None:
    """A redirected POST is not followed; a read is."""
    other = here.github.state.add_repository("acme/gadgets")
    here.issue.add_comment("moved along", here.stranger)
    here.github.state.transfer(here.issue, other)
    error = await here.refused("create_comment", issue_number=1, body="a")
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "moved")
    listed = await here.call("list_comments", issue_number=1)
    assert [c["body"] for c in listed["comments"]] == ["moved along"]
    assert listed["source"]["moved_to"].startswith(here.github.url)


async def test_a_comment_outside_the_context_is_not_touched(here: World) -> None:
    """A context bound to one pull request reaches no comment of another conversation."""
    comment = here.issue.add_comment("old", here.me)
    bound = {meta.BIND: {"owner": "acme", "repo": "widgets", "pr_number": 2}}
    for tool, arguments in (
        ("update_comment", {"commentId": comment.id, "body": "new"}),
        ("get_comment", {"comment_id": comment.id}),
        ("delete_comment", {"comment_id": comment.id, "confirm": True}),
        ("add_reaction", {"comment_id": comment.id, "content": "eyes"}),
        ("create_comment", {"issue_number": 1, "body": "new"}),
    ):
        error = await here.refused(tool, meta=bound, **arguments)
        assert error["error_code"] == "BLOCKED_BY_POLICY", tool
    assert here.bodies() == ["old"]
    await here.call("create_comment", issue_number=2, body="new", meta=bound)
