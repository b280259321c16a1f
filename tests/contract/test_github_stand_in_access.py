"""Who may do what: roles, permissions of tokens, and the states that close a conversation."""

from collections.abc import Mapping

import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.github import Demo, GitHubStandIn, Repository

pytestmark = pytest.mark.anyio

REPO = "/repos/acme/widgets"
HELLO = {"body": "hello"}


def token_of(github: GitHubStandIn, login: str, **permissions: str) -> str:
    """Return the secret of a new token: fine-grained when there are permissions."""
    user = github.state.users.get(login) or github.state.add_user(login)
    return github.state.add_token(user, f"{login}-own", permissions=permissions or None).secret


async def test_everybody_may_comment_in_public_and_change_only_what_is_theirs(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """A stranger creates and edits an own comment, and gets 403 for those of others."""
    stranger = writer.using(token_of(github, "stranger"))
    own = await stranger.ask("POST", f"{REPO}/issues/1/comments", HELLO)
    assert own.status == 201
    assert own.json["author_association"] == "NONE"
    path = f"{REPO}/issues/comments/{own.json['id']}"
    assert (await stranger.ask("PATCH", path, HELLO)).status == 200
    others = (
        f"{REPO}/issues/comments/{demo.issue.comments[0].id}",
        f"{REPO}/pulls/comments/{demo.pull.review_comments[0].id}",
    )
    for path in others:
        assert (await stranger.ask("PATCH", path, HELLO)).status == 403
        assert (await stranger.ask("DELETE", path)).status == 403
        assert (await writer.ask("PATCH", path, HELLO)).status == 200


async def test_a_private_repository_is_404_for_who_may_not_see_it(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """GitHub does not say that something is there; members still see it."""
    demo.repository.private = True
    for path in ("", "/issues/1", "/issues/1/comments", "/pulls/2"):
        assert (await writer.using("").ask("GET", REPO + path)).status == 404
        stranger = writer.using(token_of(github, "stranger"))
        assert (await stranger.ask("GET", REPO + path)).status == 404
        assert (await writer.ask("GET", REPO + path)).status == 200


async def test_a_read_only_token_is_told_which_permission_it_lacks(
    writer: Caller, demo: Demo
) -> None:
    """403 with the permissions that would do, for each kind of write."""
    reader = writer.using(demo.reader.secret)
    comment = f"{REPO}/issues/comments/{demo.issue.comments[0].id}"
    assert (await reader.ask("GET", comment)).status == 200
    writes = (
        ("POST", f"{REPO}/issues/1/comments", HELLO),
        ("PATCH", comment, HELLO),
        ("DELETE", comment, None),
        ("POST", f"{comment}/reactions", {"content": "eyes"}),
    )
    for method, path, body in writes:
        refused = await reader.ask(method, path, body)
        assert refused.status == 403
        assert refused.json["message"] == "Resource not accessible by personal access token"
        accepted = refused.headers["X-Accepted-GitHub-Permissions"]
        assert accepted == "issues=write; pull_requests=write"


@pytest.mark.parametrize(
    ("permissions", "status"),
    [
        ({"issues": "write"}, 201),
        ({"pull_requests": "write"}, 201),
        ({"issues": "read", "pull_requests": "read"}, 403),
        ({"contents": "write"}, 403),
    ],
)
async def test_either_of_two_permissions_lets_comment(
    github: GitHubStandIn, writer: Caller, permissions: Mapping[str, str], status: int
) -> None:
    """Issues or pull requests: GitHub accepts one of them for comments."""
    token = token_of(github, "demo", **permissions)
    reply = await writer.using(token).ask("POST", f"{REPO}/issues/1/comments", HELLO)
    assert reply.status == status


async def test_a_token_reaches_only_the_repositories_that_it_was_given(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """Elsewhere a fine-grained token is a stranger."""
    elsewhere = github.state.add_repository("acme/secret", private=True)
    elsewhere.grant(demo.token.user, "write")
    narrow = github.state.add_token(
        demo.token.user, "narrow", permissions={"issues": "write"}, repositories=[demo.repository]
    )
    assert (await writer.ask("GET", "/repos/acme/secret")).status == 200
    assert (await writer.using(narrow.secret).ask("GET", "/repos/acme/secret")).status == 404
    assert (await writer.using(narrow.secret).ask("GET", REPO)).status == 200


async def test_private_conversations_need_a_permission_to_be_read(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """Metadata alone does not read issues."""
    demo.repository.private = True
    narrow = writer.using(token_of(github, "demo", metadata="read"))
    refused = await narrow.ask("GET", f"{REPO}/issues/1/comments")
    assert refused.status == 403
    assert "issues=read" in refused.headers["X-Accepted-GitHub-Permissions"]


async def test_the_role_shows_in_the_repository(github: GitHubStandIn, writer: Caller) -> None:
    """`permissions` says what the caller may do."""
    own = (await writer.ask("GET", REPO)).json["permissions"]
    assert (own["push"], own["admin"]) == (True, False)
    stranger = writer.using(token_of(github, "stranger"))
    assert (await stranger.ask("GET", REPO)).json["permissions"]["push"] is False


async def test_an_owner_may_do_everything(github: GitHubStandIn, writer: Caller) -> None:
    """A person's own repository: role admin, association OWNER."""
    owner = writer.using(token_of(github, "carol"))
    issue = github.state.add_repository("carol/tools").add_issue("One", None)
    path = f"/repos/carol/tools/issues/{issue.number}/comments"
    created = await owner.ask("POST", path, HELLO)
    assert created.json["author_association"] == "OWNER"
    assert (await owner.ask("GET", "/repos/carol/tools")).json["permissions"]["admin"] is True


async def test_a_locked_conversation_is_403_for_who_may_not_write(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """Members may go on commenting; what is there can be read."""
    path = f"{REPO}/issues/{demo.locked.number}/comments"
    stranger = writer.using(token_of(github, "stranger"))
    refused = await stranger.ask("POST", path, HELLO)
    assert refused.status == 403
    assert "locked" in refused.json["message"]
    assert (await stranger.ask("GET", path)).status == 200
    assert (await writer.ask("POST", path, HELLO)).status == 201


async def test_an_archived_repository_can_only_be_read(writer: Caller, demo: Demo) -> None:
    """Every write is 403, whoever asks."""
    demo.repository.archived = True
    comment = f"{REPO}/issues/comments/{demo.issue.comments[0].id}"
    assert (await writer.ask("GET", comment)).status == 200
    assert (await writer.ask("GET", REPO)).json["archived"] is True
    for method, path, body in (
        ("POST", f"{REPO}/issues/1/comments", HELLO),
        ("PATCH", comment, HELLO),
        ("DELETE", comment, None),
        ("POST", f"{REPO}/issues/1/reactions", {"content": "eyes"}),
    ):
        refused = await writer.ask(method, path, body)
        assert refused.status == 403
        assert "archived" in refused.json["message"]


async def test_disabled_issues_are_410_but_pull_requests_still_talk(
    writer: Caller, demo: Demo
) -> None:
    """Comments of pull requests use the same paths and go on working."""
    demo.repository.has_issues = False
    of_issue = f"{REPO}/issues/comments/{demo.issue.comments[0].id}"
    for path in (f"{REPO}/issues/1", f"{REPO}/issues/1/comments", of_issue):
        assert (await writer.ask("GET", path)).status == 410
    assert (await writer.ask("POST", f"{REPO}/issues/1/comments", HELLO)).status == 410
    assert (await writer.ask("GET", f"{REPO}/issues/2/comments")).status == 200
    assert (await writer.ask("POST", f"{REPO}/issues/2/comments", HELLO)).status == 201


async def test_a_deleted_issue_is_410(writer: Caller, demo: Demo) -> None:
    """GitHub remembers that there was one."""
    demo.issue.deleted = True
    assert (await writer.ask("GET", f"{REPO}/issues/1")).status == 410
    assert (await writer.ask("POST", f"{REPO}/issues/1/comments", HELLO)).status == 410


async def test_a_transferred_issue_redirects_to_its_new_home(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """301 for the issue and for everything below it, to a place that answers."""
    count = len(demo.issue.comments)
    home: Repository = github.state.add_repository("acme/archive")
    github.state.transfer(demo.issue, home)
    moved = await writer.ask("GET", f"{REPO}/issues/1")
    assert moved.status == 301
    assert moved.headers["Location"] == f"{github.url}/repositories/{home.id}/issues/1"
    assert (await writer.ask("GET", moved.headers["Location"])).json["comments"] == count
    comments = await writer.ask("GET", f"{REPO}/issues/1/comments?per_page=2")
    assert comments.status == 301
    shown = (await writer.ask("GET", comments.headers["Location"])).json
    assert [one["issue_url"] for one in shown] == [f"{github.url}/repos/acme/archive/issues/1"] * 2
