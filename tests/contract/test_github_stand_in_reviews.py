"""Reviews, replies and threads of the stand-in: GitHub's truths about them."""

from typing import Any

import pytest

from tests.contract.caller import Caller, Reply
from trunkline_shared.testing.github import ChangedFile, Demo, GitHubStandIn

pytestmark = pytest.mark.anyio

PULL = "/repos/acme/widgets/pulls/2"
REVIEWS = f"{PULL}/reviews"
FILE = ChangedFile(path="a.py", before="one\ntwo\n", after="one\n2\n")
GOOD: dict[str, object] = {"path": "a.py", "line": 2, "side": "RIGHT", "body": "hm"}
THREADS = (
    "query($owner: String!, $repo: String!, $number: Int!, $after: String) { repository(owner: "
    "$owner, name: $repo) { pullRequest(number: $number) { reviewThreads(first: 100, after: "
    "$after) { nodes { id isResolved comments(first: 50) { nodes { id } } } "
    "pageInfo { hasNextPage endCursor } } } } }"
)
RESOLVE = (
    "mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }"
)
UNRESOLVE = RESOLVE.replace("resolveReviewThread", "unresolveReviewThread")


@pytest.fixture(autouse=True)
def changed(demo: Demo) -> None:
    """A pull request of Bob's that changes one line."""
    demo.repository.push(demo.pull, FILE)


async def review(by: Caller, **given: object) -> Reply:
    return await by.ask("POST", REVIEWS, given)


async def test_a_review_is_taken_whole(writer: Caller, demo: Demo) -> None:
    """Its comments are those of the review, and have its id."""
    made = (await review(writer, event="COMMENT", comments=[GOOD, GOOD])).json
    assert made["state"] == "COMMENTED"
    listed = (await writer.ask("GET", f"{REVIEWS}/{made['id']}/comments")).json
    assert [one["pull_request_review_id"] for one in listed] == [made["id"]] * 2
    assert "line" not in listed[0]
    assert (await writer.ask("GET", f"{REVIEWS}/{made['id']}")).json == made


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"path": "b.py"}, "Path could not be resolved"),
        ({"line": 9}, "Line could not be resolved"),
        ({"start_line": 2, "start_side": "RIGHT"}, "Start line must precede the end line"),
        ({"start_line": 9}, "Start line must be part of the same hunk as the line"),
        ({"body": " "}, "Body can't be blank"),
        ({"body": "x" * 70_000}, "Body is too long (maximum is 65536 characters)"),
    ],
)
async def test_one_bad_comment_refuses_the_whole_review_and_is_not_named(
    writer: Caller, demo: Demo, bad: dict[str, object], said: str
) -> None:
    """422 with one sentence; nothing is there afterwards."""
    reply = await review(writer, event="COMMENT", comments=[GOOD, GOOD | bad, GOOD])
    assert (reply.status, reply.json["errors"]) == (422, [said])
    assert not demo.pull.reviews


async def test_a_pending_review_is_seen_by_its_author_only(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """Others neither list nor read it; its author submits it."""
    made = (await review(writer, comments=[GOOD])).json
    assert made["state"] == "PENDING"
    assert "submitted_at" not in made
    alice = github.state.add_token(github.state.users["alice"], "alice").secret
    assert (await writer.using(alice).ask("GET", REVIEWS)).json == []
    one = f"{REVIEWS}/{made['id']}"
    assert (await writer.using(alice).ask("GET", one)).status == 404
    done = await writer.ask("POST", f"{one}/events", {"event": "COMMENT", "body": "Done."})
    assert (done.json["state"], done.json["body"]) == ("COMMENTED", "Done.")
    assert len((await writer.using(alice).ask("GET", REVIEWS)).json) == 1
    assert (await writer.ask("POST", f"{one}/events", {"event": "COMMENT"})).status == 422


async def test_a_pending_review_stands_in_the_way_of_reviews_and_replies(
    writer: Caller, demo: Demo
) -> None:
    """One per person and pull request, until it is submitted or discarded."""
    head = demo.pull.review_comments[0]
    made = (await review(writer)).json
    second = await review(writer, event="COMMENT", body="more")
    reply = await writer.ask("POST", f"{PULL}/comments/{head.id}/replies", {"body": "yes"})
    assert (second.status, reply.status) == (422, 422)
    assert "one pending review per pull request" in second.text
    assert "one pending review per pull request" in reply.text
    discarded = await writer.ask("DELETE", f"{REVIEWS}/{made['id']}")
    assert (discarded.status, discarded.json["id"]) == (200, made["id"])
    assert (await review(writer, event="COMMENT", body="more")).status == 200


async def test_a_submitted_review_is_edited_and_never_deleted(writer: Caller, demo: Demo) -> None:
    """422 for the deletion; another text for the edit."""
    made = (await review(writer, event="COMMENT", body="a")).json
    one = f"{REVIEWS}/{made['id']}"
    assert (await writer.ask("PUT", one, {"body": "b"})).json["body"] == "b"
    assert (await writer.ask("DELETE", one)).status == 422


async def test_nobody_edits_the_review_of_another(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """403."""
    made = (await review(writer, event="COMMENT", body="a")).json
    alice = github.state.add_token(github.state.users["alice"], "alice").secret
    one = f"{REVIEWS}/{made['id']}"
    assert (await writer.using(alice).ask("PUT", one, {"body": "b"})).status == 403


@pytest.mark.parametrize(
    "given",
    [
        {"event": "COMMENT"},
        {"event": "COMMENT", "body": " "},
        {"event": "REQUEST_CHANGES", "comments": [GOOD]},
        {"event": "COMMENT", "body": "a", "commit_id": "0" * 40},
    ],
)
async def test_a_review_that_says_nothing_or_of_no_such_commit_is_refused(
    writer: Caller, demo: Demo, given: dict[str, object]
) -> None:
    """As GitHub refuses them, with 422."""
    assert (await review(writer, **given)).status == 422
    assert not demo.pull.reviews


async def test_nobody_judges_their_own_pull_request(writer: Caller, demo: Demo) -> None:
    """Approval and change requests are 422 there; a comment is fine."""
    demo.pull.author = demo.token.user
    for event in ("APPROVE", "REQUEST_CHANGES"):
        assert (await review(writer, event=event, body="a")).status == 422
    assert (await review(writer, event="COMMENT", body="a")).status == 200


async def test_a_forced_push_takes_the_commit_from_under_a_review(
    writer: Caller, demo: Demo
) -> None:
    """The commit that was the head is none of the pull request any more."""
    before = (await writer.ask("GET", PULL)).json["head"]["sha"]
    demo.repository.push(demo.pull, FILE, forced=True)
    reply = await review(writer, event="COMMENT", body="a", commit_id=before)
    assert reply.status == 422


async def test_replies_go_to_the_head_of_a_thread(writer: Caller, demo: Demo) -> None:
    """A reply has the head's id; a reply to a reply, or elsewhere, is not found."""
    head = demo.pull.review_comments[0]
    made = await writer.ask("POST", f"{PULL}/comments/{head.id}/replies", {"body": "yes"})
    assert (made.status, made.json["in_reply_to_id"]) == (201, head.id)
    for path in (f"comments/{made.json['id']}/replies", "comments/1/replies"):
        assert (await writer.ask("POST", f"{PULL}/{path}", {"body": "yes"})).status == 404


async def test_a_locked_pull_request_takes_no_review(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """403 for those who may not write to the repository."""
    demo.pull.locked = True
    bob = writer.using(github.state.add_token(github.state.users["bob"], "bob").secret)
    head = demo.pull.review_comments[0]
    assert (await review(bob, event="COMMENT", body="a")).status == 403
    reply = await bob.ask("POST", f"{PULL}/comments/{head.id}/replies", {"body": "yes"})
    assert reply.status == 403


async def test_threads_are_resolved_by_those_who_may(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """A missing right is an error inside a 200; resolving twice is none."""
    (first, *_) = await threads(writer)
    for text, expected in ((RESOLVE, True), (RESOLVE, True), (UNRESOLVE, False)):
        await graphql(writer, text, id=first["id"])
        assert (await threads(writer))[0]["isResolved"] is expected
    carol = github.state.add_token(github.state.add_user("carol"), "carol").secret
    refused = await graphql(writer.using(carol), RESOLVE, id=first["id"])
    assert refused["errors"][0]["type"] == "FORBIDDEN"
    assert (await graphql(writer, RESOLVE, id="PRRT_none"))["errors"][0]["type"] == "NOT_FOUND"


async def test_several_hundred_threads_are_read_in_pages(writer: Caller, demo: Demo) -> None:
    """A hundred a page, each with the ids of its comments."""
    for _ in range(250):
        demo.pull.add_review_comment("a", None, path="a.py", line=2)
    found = await threads(writer)
    assert len(found) == len({one["id"] for one in found}) == 252
    assert all(one["comments"]["nodes"] for one in found)


async def graphql(by: Caller, text: str, **variables: object) -> dict[str, Any]:
    reply = await by.ask("POST", "/graphql", {"query": text, "variables": variables})
    assert reply.status == 200
    answer: dict[str, Any] = reply.json
    return answer


async def threads(by: Caller) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after: str | None = None
    while True:
        variables = {"owner": "acme", "repo": "widgets", "number": 2, "after": after}
        asked = {"query": THREADS, "variables": variables}
        answer = (await by.ask("POST", "/graphql", asked)).json["data"]
        page = answer["repository"]["pullRequest"]["reviewThreads"]
        found += page["nodes"]
        if not page["pageInfo"]["hasNextPage"]:
            return found
        after = page["pageInfo"]["endCursor"]
