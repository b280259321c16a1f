"""Every operation of the stand-in answers as GitHub's OpenAPI describes it."""

import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import Demo, GitHubStandIn
from trunkline_shared.testing.github.conversation import CONTENTS
from trunkline_shared.testing.github.routes import ROUTES

pytestmark = pytest.mark.anyio

REPO = "/repos/acme/widgets"


def places(demo: Demo) -> dict[str, object]:
    """Return what the `{names}` of a route's path stand for in the demo."""
    return {
        "owner": "acme",
        "repo": "widgets",
        "issue_number": demo.issue.number,
        "pull_number": demo.pull.number,
        **places_of_ci(demo),
    }


def places_of_ci(demo: Demo) -> dict[str, object]:
    """Return what the names of CI stand for, and a branch that its rules protect."""
    ci = demo.repository.ci
    ci.protected["main"] = ["test (3.13)"]
    demo.repository.grant(demo.token.user, "admin")
    run, check = next(iter(ci.runs.values())), next(iter(ci.checks.values()))
    return {
        "ref": run.head_sha,
        "check_run_id": check.id,
        "workflow": run.workflow,
        "run_id": run.id,
        "attempt_number": run.attempt.number,
        "job_id": run.attempt.jobs[0].id,
        "branch": "main",
    }


@pytest.mark.requirement("github.openapi")
@pytest.mark.parametrize("version", ["2022-11-28", "2026-03-10"])
async def test_every_get_answers_as_described_in_each_version(
    writer: Caller, demo: Demo, version: str
) -> None:
    """Each GET route gives 200 (a log's: a link) with a body that the OpenAPI guard accepts."""
    review = demo.pull.add_review(demo.token.user, "COMMENTED", body="Nice.")
    for route in ROUTES:
        if route.method != "GET":
            continue
        comments = demo.pull.review_comments if "/pulls/" in route.path else demo.issue.comments
        numbers = {"comment_id": comments[0].id, "review_id": review.id}
        path = route.path.format(**places(demo), **numbers)
        query = "?q=is:open" if path.startswith("/search/") else ""
        reply = await writer.ask("GET", path + query, X_GitHub_Api_Version=version)
        assert reply.status == (302 if path.endswith("/logs") else 200), (path, reply.text)
        assert reply.headers["X-GitHub-Api-Version-Selected"] == version


async def test_the_newer_version_lacks_what_github_removed(writer: Caller) -> None:
    """2026-03-10 has neither `assignee` nor `merge_commit_sha` nor `rate`."""
    new = {"X_GitHub_Api_Version": "2026-03-10"}
    pull = (await writer.ask("GET", f"{REPO}/pulls/2", **new)).json
    assert {"assignee", "merge_commit_sha"}.isdisjoint(pull)
    assert "rate" not in (await writer.ask("GET", "/rate_limit", **new)).json
    assert "assignee" in (await writer.ask("GET", f"{REPO}/pulls/2")).json


async def test_a_comment_is_created_read_changed_and_deleted(
    writer: Caller, demo: Demo, clock: FakeClock
) -> None:
    """The four operations see each other's effect, and the issue counts along."""
    before = len(demo.issue.comments)
    created = await writer.ask("POST", f"{REPO}/issues/1/comments", {"body": "first"})
    assert created.status == 201
    assert created.headers["Location"] == created.json["url"]
    path = f"{REPO}/issues/comments/{created.json['id']}"
    assert (await writer.ask("GET", path)).json["body"] == "first"
    assert (await writer.ask("GET", f"{REPO}/issues/1")).json["comments"] == before + 1

    clock.advance(90)
    changed = await writer.ask("PATCH", path, {"body": "second"})
    assert changed.status == 200
    assert changed.json["body"] == "second"
    assert changed.json["created_at"] < changed.json["updated_at"]

    assert (await writer.ask("DELETE", path)).status == 204
    for method, body in (("GET", None), ("PATCH", {"body": "late"}), ("DELETE", None)):
        assert (await writer.ask(method, path, body)).status == 404


async def test_a_review_comment_is_read_changed_and_deleted(writer: Caller, demo: Demo) -> None:
    """Review comments live under /pulls/comments and nowhere else."""
    comment = demo.pull.review_comments[0]
    path = f"{REPO}/pulls/comments/{comment.id}"
    assert (await writer.ask("GET", path)).json["line"] == 7
    assert (await writer.ask("PATCH", path, {"body": "12 Nm it is"})).json["body"] == "12 Nm it is"
    assert (await writer.ask("GET", f"{REPO}/issues/comments/{comment.id}")).status == 404
    assert (await writer.ask("DELETE", path)).status == 204
    assert (await writer.ask("GET", path)).status == 404


async def test_an_outdated_review_comment_has_no_line(writer: Caller, demo: Demo) -> None:
    """`line` is null and `original_line` stays, as GitHub shows outdated comments."""
    comment = demo.pull.review_comments[1]
    shown = (await writer.ask("GET", f"{REPO}/pulls/comments/{comment.id}")).json
    assert (shown["line"], shown["original_line"]) == (None, 3)


async def test_a_reply_names_the_comment_that_it_answers(writer: Caller, demo: Demo) -> None:
    """`in_reply_to_id` is there for replies only."""
    head, reply = demo.pull.review_comments
    reply.in_reply_to_id = head.id
    path = f"{REPO}/pulls/comments"
    assert (await writer.ask("GET", f"{path}/{reply.id}")).json["in_reply_to_id"] == head.id
    assert "in_reply_to_id" not in (await writer.ask("GET", f"{path}/{head.id}")).json


async def test_reactions_are_created_once_listed_and_removed(writer: Caller, demo: Demo) -> None:
    """The first reaction is 201, the same again 200 with the same id, then 204 and 404."""
    subjects = (
        f"{REPO}/issues/1",
        f"{REPO}/issues/comments/{demo.issue.comments[0].id}",
        f"{REPO}/pulls/comments/{demo.pull.review_comments[0].id}",
    )
    for subject in subjects:
        path = f"{subject}/reactions"
        new = await writer.ask("POST", path, {"content": "rocket"})
        again = await writer.ask("POST", path, {"content": "rocket"})
        assert (new.status, again.status) == (201, 200)
        assert new.json["id"] == again.json["id"]
        assert (await writer.ask("GET", subject)).json["reactions"]["rocket"] == 1
        assert len((await writer.ask("GET", f"{path}?content=rocket")).json) == 1
        assert (await writer.ask("GET", f"{path}?content=eyes")).json == []
        assert (await writer.ask("DELETE", f"{path}/{new.json['id']}")).status == 204
        assert (await writer.ask("DELETE", f"{path}/{new.json['id']}")).status == 404


async def test_every_reaction_of_github_is_known_and_no_other(writer: Caller) -> None:
    """The eight contents give 201, anything else 422."""
    path = f"{REPO}/issues/1/reactions"
    for content in CONTENTS:
        assert (await writer.ask("POST", path, {"content": content})).status == 201
    for wrong in ({"content": "thumbsup"}, {"content": 1}, {}):
        assert (await writer.ask("POST", path, wrong)).status == 422


async def test_nobody_removes_a_reaction_of_somebody_else(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """A reaction belongs to the one who gave it."""
    given = await writer.ask("POST", f"{REPO}/issues/1/reactions", {"content": "eyes"})
    other = github.state.add_token(github.state.users["alice"], "alice")
    path = f"{REPO}/issues/1/reactions/{given.json['id']}"
    assert (await writer.using(other.secret).ask("DELETE", path)).status == 404


async def test_authors_may_be_deleted_accounts_and_bots(writer: Caller) -> None:
    """`user` is null for a deleted account and of type Bot for a bot."""
    page = (await writer.ask("GET", f"{REPO}/issues/1/comments?per_page=100")).json
    users = [comment["user"] for comment in page]
    assert None in users
    assert "Bot" in {user["type"] for user in users if user is not None}


async def test_a_minimised_comment_says_why(writer: Caller) -> None:
    """REST lists minimised comments with their reason, and null for the others."""
    page = (await writer.ask("GET", f"{REPO}/issues/1/comments?per_page=100")).json
    reasons = [comment["minimized"] for comment in page if comment["minimized"]]
    assert reasons == [{"reason": "spam"}]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"body": ""}, 422),
        ({"body": " \n\t"}, 422),
        ({"body": "x" * 65_536}, 201),
        ({"body": "x" * 65_537}, 422),
        ({"body": "\N{PARTY POPPER}" * 65_536}, 201),
        ({"body": 5}, 422),
        ({}, 422),
        ([], 400),
    ],
    ids=["empty", "blank", "longest", "too-long", "longest-in-emoji", "number", "none", "list"],
)
async def test_bodies_are_refused_as_github_does(writer: Caller, body: object, status: int) -> None:
    """Blank and over 65,536 characters is 422, in both comment families alike."""
    reply = await writer.ask("POST", f"{REPO}/issues/1/comments", body)
    assert reply.status == status
    if status == 422:
        assert reply.json["errors"][0]["resource"] == "IssueComment"


async def test_a_body_that_is_no_json_is_400(writer: Caller) -> None:
    """GitHub's word for it is 'Problems parsing JSON'."""
    async with writer.session.post(
        f"{writer.base}{REPO}/issues/1/comments",
        data=b'{"body": ',
        headers={"Authorization": f"Bearer {writer.token}", "Content-Type": "application/json"},
    ) as response:
        assert response.status == 400
        assert (await response.json())["message"] == "Problems parsing JSON"


async def test_a_pull_request_is_an_issue_but_an_issue_is_no_pull_request(writer: Caller) -> None:
    """/issues/2 has the key `pull_request`; /pulls/1 is 404."""
    assert "pull_request" in (await writer.ask("GET", f"{REPO}/issues/2")).json
    assert "pull_request" not in (await writer.ask("GET", f"{REPO}/issues/1")).json
    assert (await writer.ask("GET", f"{REPO}/pulls/1")).status == 404


async def test_unknown_paths_and_numbers_are_404(writer: Caller) -> None:
    """There is nothing where nothing was put."""
    for path in ("/nowhere", f"{REPO}/issues/99", f"{REPO}/issues/x", "/repos/acme/gadgets"):
        assert (await writer.ask("GET", path)).status == 404, path


async def test_names_of_repositories_are_found_in_any_case(writer: Caller) -> None:
    """GitHub ignores the case of owners and names."""
    assert (await writer.ask("GET", "/repos/ACME/Widgets")).json["full_name"] == "acme/widgets"
