"""Threads of review comments: replies to them, and resolving them through GraphQL."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.inline_reviewing import COMMENTS, ONE, PULL, World, world
from trunkline_shared import meta
from trunkline_shared.testing.github import (
    AnswerWith,
    CutAfterApplying,
    CutBeforeReading,
    FailAfterApplying,
    GitHubStandIn,
    LaggingList,
    MalformedJson,
    ReviewComment,
    SlowFirstByte,
    TruncatedBody,
    bad_gateway,
)

pytestmark = pytest.mark.anyio

REPLIES = f"{COMMENTS}/*/replies"
GRAPHQL = "/graphql"
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


def head(here: World, body: str = "Why?") -> ReviewComment:
    """Let the stranger begin a thread."""
    return here.pull.add_review_comment(body, here.stranger, path="src/app.py", line=5)


def node(comment: ReviewComment) -> str:
    """Return the node id of the thread that a comment begins."""
    return f"PRRT_stand{comment.id:012d}"


def replies(here: World) -> list[str]:
    """Return what the replies say."""
    return [one.body for one in here.pull.review_comments if one.in_reply_to_id is not None]


@pytest.mark.requirement("threads.reply")
async def test_a_reply_goes_to_the_head_whichever_comment_was_named(here: World) -> None:
    """GitHub takes no reply to a reply: the head is found."""
    first = head(here)
    one = await here.call("reply_to_review_comment", comment_id=first.id, body="Because.")
    two = await here.call("reply_to_review_comment", comment_id=one["comment_id"], body="So.")
    assert one == IsPartialDict(success=True, in_reply_to_id=first.id, created=True)
    assert two["in_reply_to_id"] == first.id
    assert two["html_url"].endswith(f"#discussion_r{two['comment_id']}")
    assert replies(here) == ["Because.", "So."]


@pytest.mark.requirement("threads.reply")
async def test_a_comment_that_is_none_of_a_diff_is_not_found(here: World) -> None:
    """One of the conversation has no thread, and the hint says what to use."""
    comment = here.pull.add_comment("hello", here.stranger)
    for tool, arguments in (
        ("reply_to_review_comment", {"body": "a"}),
        ("resolve_thread", {}),
    ):
        error = await here.refused(tool, comment_id=comment.id, **arguments)
        assert error["error_code"] == "NOT_FOUND"
        assert "create_comment" in error["hint"]


@pytest.mark.requirement("threads.deleted")
async def test_a_thread_whose_head_was_deleted_takes_no_reply(here: World) -> None:
    """Deleted before the call or between look and post: NOT_FOUND, and nothing is posted."""
    first = head(here)
    made = await here.call("reply_to_review_comment", comment_id=first.id, body="Because.")
    gate = here.github.faults.hold("POST", REPLIES)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(
            here.refused("reply_to_review_comment", comment_id=first.id, body="So.")
        )
        await gate.reached()
        here.pull.review_comments.remove(first)
        gate.release()
    later = await here.refused("reply_to_review_comment", comment_id=made["comment_id"], body="x")
    for error in (asked.result(), later):
        assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "thread_gone")
    assert replies(here) == ["Because."]


@pytest.mark.requirement("threads.no-duplicate")
@pytest.mark.parametrize("key", ["", "answer 1"])
@pytest.mark.parametrize(
    "fault", [CutAfterApplying(), TruncatedBody(), MalformedJson(), FailAfterApplying()]
)
async def test_a_reply_whose_answer_was_lost_exists_once_and_is_answered(
    here: World, key: str, fault: CutAfterApplying
) -> None:
    """It is looked for in the thread, among one's own."""
    first, other = head(here), head(here, "And?")
    await here.call("reply_to_review_comment", comment_id=other.id, body="Because.")
    here.github.faults.add(fault, "POST", REPLIES)
    answer = await here.call(
        "reply_to_review_comment", comment_id=first.id, body="Because.", dedupe_key=key
    )
    assert answer["comment_id"] == here.pull.review_comments[-1].id
    assert answer["in_reply_to_id"] == first.id
    assert len(replies(here)) == 2


@pytest.mark.requirement("threads.no-duplicate")
@pytest.mark.parametrize(("key", "retryable"), [("answer 1", True), ("", False)])
async def test_a_reply_whose_fate_stays_unknown_says_so(
    here: World, key: str, *, retryable: bool
) -> None:
    """TIMEOUT with `may_have_happened`; only a key makes it safe to repeat."""
    first = head(here)
    here.github.faults.add(CutBeforeReading(), "POST", REPLIES)
    error = await here.refused(
        "reply_to_review_comment", comment_id=first.id, body="Because.", dedupe_key=key
    )
    assert (error["error_code"], error["retryable"]) == ("TIMEOUT", retryable)
    assert error["details"]["may_have_happened"] is True
    assert not replies(here)


@pytest.mark.requirement("threads.no-duplicate")
async def test_a_keyed_reply_is_posted_once(here: World) -> None:
    """Repeated, at the same time, or while GitHub's list lags: one reply a thread."""
    first, other = head(here), head(here, "And?")
    one = await here.call(
        "reply_to_review_comment", comment_id=first.id, body="a", dedupe_key="answer"
    )
    here.github.faults.add(LaggingList(newest=1), "GET", COMMENTS, times=3)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = [
            tasks.create_task(
                here.call(
                    "reply_to_review_comment", comment_id=first.id, body="b", dedupe_key="answer"
                )
            )
            for _ in range(4)
        ]
    assert {task.result()["comment_id"] for task in asked} == {one["comment_id"]}
    assert not any(task.result()["created"] for task in asked)
    again = await here.call(
        "reply_to_review_comment", comment_id=other.id, body="c", dedupe_key="answer"
    )
    assert again["created"] is True
    assert replies(here)[0] == "<!-- trunkline:marker=answer -->\na"
    assert len(replies(here)) == 2


async def test_a_keyed_reply_that_was_deleted_is_posted_anew(here: World) -> None:
    """What is remembered of a reply never hides that it is gone."""
    first = head(here)
    arguments: dict[str, object] = {"comment_id": first.id, "body": "a", "dedupe_key": "answer"}
    await here.call("reply_to_review_comment", **arguments)
    here.pull.review_comments.pop()
    assert (await here.call("reply_to_review_comment", **arguments))["created"] is True


@pytest.mark.requirement("reviews.secrets-out")
@pytest.mark.parametrize(
    ("body", "code"),
    [(f"it is {TOKEN}", "BLOCKED_BY_POLICY"), (" ", "INVALID_INPUT"), ("x" * 70_000, "TOO_LARGE")],
)
async def test_a_reply_that_may_not_be_posted_is_refused_here(
    here: World, body: str, code: str
) -> None:
    """Before GitHub is asked for anything."""
    error = await here.refused("reply_to_review_comment", comment_id=1, body=body)
    assert error["error_code"] == code
    assert TOKEN not in str(error)
    assert not here.github.requests.matching()


@pytest.mark.requirement("threads.resolve")
async def test_a_thread_is_resolved_and_opened_again(here: World) -> None:
    """By its node id; what is so already stays so, and says that nothing changed."""
    first = head(here)
    for tool, resolved, changed in (
        ("resolve_thread", True, True),
        ("resolve_thread", True, False),
        ("unresolve_thread", False, True),
        ("unresolve_thread", False, False),
    ):
        answer = await here.call(tool, thread_id=node(first))
        assert answer == {
            "success": True,
            "thread_id": node(first),
            "pr_number": 2,
            "is_resolved": resolved,
            "changed": changed,
        }
    assert first.id not in here.pull.resolved


@pytest.mark.requirement("threads.resolve")
async def test_any_comment_of_a_thread_leads_to_it(here: World) -> None:
    """The head, and a reply that stands behind fifty others."""
    head(here, "Another thread.")
    first = head(here)
    for number in range(60):
        await here.call("reply_to_review_comment", comment_id=first.id, body=f"Reply {number}.")
    for comment_id in (first.id, here.pull.review_comments[-1].id):
        answer = await here.call("resolve_thread", comment_id=comment_id)
        assert answer["thread_id"] == node(first)
    assert list(here.pull.resolved) == [first.id]


@pytest.mark.requirement("threads.many")
async def test_a_thread_is_found_among_several_hundred(here: World) -> None:
    """All pages are gone through, a hundred threads each, until it is found."""
    last = [head(here, f"Comment {number}") for number in range(350)][-1]
    answer = await here.call("resolve_thread", comment_id=last.id)
    assert answer["thread_id"] == node(last)
    assert len(here.github.requests.matching("POST", GRAPHQL)) == 5


@pytest.mark.requirement("threads.deleted")
async def test_a_reply_whose_head_was_deleted_still_leads_to_its_thread(here: World) -> None:
    """GitHub keeps the thread; any of its comments names it."""
    first = head(here)
    made = await here.call("reply_to_review_comment", comment_id=first.id, body="Because.")
    here.pull.review_comments.remove(first)
    answer = await here.call("resolve_thread", comment_id=made["comment_id"])
    assert (answer["thread_id"], answer["is_resolved"]) == (node(first), True)


@pytest.mark.requirement("threads.deleted")
async def test_a_thread_that_is_deleted_meanwhile_is_not_found(here: World) -> None:
    """Between look and mutation, by either way of naming it."""
    for arguments in ({"thread_id": ""}, {"comment_id": 0}):
        first = head(here)
        named = {"thread_id": node(first)} if "thread_id" in arguments else {"comment_id": first.id}
        looked = here.github.faults.hold("POST", GRAPHQL)
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            asked = tasks.create_task(here.refused("resolve_thread", **named))
            await looked.reached()
            here.pull.review_comments.remove(first)
            looked.release()
        assert asked.result()["error_code"] == "NOT_FOUND"


@pytest.mark.requirement("threads.resolve")
@pytest.mark.parametrize("thread_id", ["PRRT_none", "x" * 300, "PRRC_comment", "é\x00"])
async def test_an_id_of_no_thread_is_not_found(here: World, thread_id: str) -> None:
    """Also that of a comment, which is not one of its thread."""
    named = thread_id
    if thread_id == "PRRC_comment":
        named = f"PRRC_stand{head(here).id:012d}"
    error = await here.refused("resolve_thread", thread_id=named)
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "no_such_thread")


@pytest.mark.parametrize("arguments", [{}, {"thread_id": "PRRT_a", "comment_id": 1}])
async def test_one_name_of_a_thread_is_needed_and_only_one(
    here: World, arguments: dict[str, object]
) -> None:
    """Two names could be of two threads."""
    error = await here.refused("resolve_thread", **arguments)
    assert error["error_code"] == "INVALID_INPUT"
    assert not here.github.requests.matching()


@pytest.mark.requirement("threads.binding")
async def test_a_thread_of_another_pull_request_is_not_touched(here: World) -> None:
    """Named by thread or by comment, with or without a context: checked before anything is done."""
    other = here.repository.add_pull("Other", here.stranger)
    theirs = other.add_review_comment("Theirs.", here.stranger, path="a", line=1)
    bound = {meta.BIND: {"owner": "acme", "repo": "widgets", "pr_number": 2}}
    for given, code in ((None, "INVALID_INPUT"), (bound, "BLOCKED_BY_POLICY")):
        for tool, arguments in (
            ("resolve_thread", {"thread_id": node(theirs)}),
            ("resolve_thread", {"comment_id": theirs.id}),
            ("unresolve_thread", {"thread_id": node(theirs)}),
            ("reply_to_review_comment", {"comment_id": theirs.id, "body": "a"}),
        ):
            error = await here.refused(tool, meta=given, **arguments)
            assert error["error_code"] == code, (tool, arguments)
    assert not other.resolved
    assert other.review_comments == [theirs]


@pytest.mark.requirement("threads.binding")
async def test_a_thread_of_another_repository_is_not_touched(here: World) -> None:
    """The node id reaches everywhere; the call does not."""
    gadgets = here.github.state.add_repository("acme/gadgets")
    gadgets.grant(here.me, "write")
    gadgets.add_issue("One", here.stranger)
    other = gadgets.add_pull("Other", here.stranger)
    theirs = other.add_review_comment("Theirs.", here.stranger, path="a", line=1)
    bound = {meta.BIND: {"owner": "acme", "repo": "widgets", "pr_number": 2}}
    plain = await here.refused("resolve_thread", thread_id=node(theirs))
    error = await here.refused("resolve_thread", thread_id=node(theirs), meta=bound)
    assert (other.number, plain["error_code"]) == (2, "INVALID_INPUT")
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert not other.resolved


@pytest.mark.requirement("threads.resolve")
async def test_a_right_that_is_missing_is_permission_denied(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GraphQL says so inside a 200."""
    async with world(github, monkeypatch) as here:
        first = head(here)
        here.repository.grant(here.me, "read")
        error = await here.refused("resolve_thread", thread_id=node(first))
        assert error["error_code"] == "PERMISSION_DENIED"
        assert "Contents: write" in error["hint"]
        assert not here.pull.resolved


@pytest.mark.requirement("threads.no-duplicate")
@pytest.mark.parametrize("fault", [CutAfterApplying(), CutBeforeReading(), bad_gateway()])
@pytest.mark.parametrize("tool", ["resolve_thread", "unresolve_thread"])
async def test_resolving_is_repeated_when_its_answer_was_lost(
    here: World, fault: CutAfterApplying, tool: str
) -> None:
    """Doing it twice does no harm."""
    first = head(here)
    if tool == "unresolve_thread":
        here.pull.resolved[first.id] = here.stranger
    look = here.github.faults.hold("POST", GRAPHQL)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.call(tool, thread_id=node(first)))
        await look.reached()
        here.github.faults.add(fault, "POST", GRAPHQL)
        look.release()
    assert asked.result() == IsPartialDict(is_resolved=tool == "resolve_thread", changed=True)


async def test_a_limit_of_graphql_says_when_to_come_back(here: World) -> None:
    """RATE_LIMITED inside a 200."""
    body = {"data": None, "errors": [{"type": "RATE_LIMITED", "message": "slow down"}]}
    here.github.faults.add(AnswerWith(status=200, body=body), "POST", GRAPHQL, times=9)
    error = await here.refused("resolve_thread", thread_id="PRRT_a", meta={meta.DEADLINE_MS: 2_000})
    assert (error["error_code"], error["retryable"]) == ("RATE_LIMITED", True)


async def test_a_thread_of_a_pull_request_that_is_gone_is_not_found(here: World) -> None:
    """GraphQL answers null for what it does not show."""
    first = head(here)
    body = {"data": {"repository": {"pullRequest": None}}}
    here.github.faults.add(AnswerWith(status=200, body=body), "POST", GRAPHQL)
    error = await here.refused("resolve_thread", comment_id=first.id)
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "no_such_thread")


async def test_a_slow_reply_is_looked_for_in_what_is_left_of_the_time(here: World) -> None:
    """A part of the deadline is kept for finding out what a slow POST has done."""
    first = head(here)
    here.github.faults.add(SlowFirstByte(seconds=30), "POST", REPLIES)
    answer = await here.call(
        "reply_to_review_comment",
        comment_id=first.id,
        body="Because.",
        meta={meta.DEADLINE_MS: 3_000},
    )
    assert answer["comment_id"] == here.pull.review_comments[-1].id


async def test_a_comment_of_a_pending_review_has_no_thread_yet(here: World) -> None:
    """The thread begins when the review is submitted."""
    begun = await here.call(
        "start_pending_review", comments=[{"path": "src/app.py", "line": 5, "body": "Draft."}]
    )
    error = await here.refused("resolve_thread", comment_id=begun["posted"][0]["comment_id"])
    assert error["error_code"] == "NOT_FOUND"
    assert "pending" in error["hint"]
    assert here.github.requests.matching("GET", ONE)
    assert here.github.requests.matching("POST", f"{PULL}/reviews")
