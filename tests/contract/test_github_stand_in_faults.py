"""Each fault does what it says, to the requests that it was meant for."""

import asyncio
import math
import time

import aiohttp
import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import (
    AnswerWith,
    CutAfterApplying,
    CutBeforeReading,
    Demo,
    GitHubStandIn,
    LaggingList,
    MalformedJson,
    Point,
    PrimaryLimit,
    SlowBody,
    SlowFirstByte,
    TruncatedBody,
    bad_gateway,
    saml_required,
    secondary_limit,
)

pytestmark = pytest.mark.anyio

REPO = "/repos/acme/widgets"
COMMENTS = f"{REPO}/issues/1/comments"
HELLO = {"body": "hello"}
ENOUGH = 0.2
GONE = aiohttp.ClientConnectionError


async def test_a_fault_happens_as_often_as_it_was_planned(
    github: GitHubStandIn, writer: Caller
) -> None:
    """Two 502s, then the truth; faults of one path come in the order of planning."""
    github.faults.add(bad_gateway(), "GET", COMMENTS, times=2)
    github.faults.add(AnswerWith(status=503), "GET", COMMENTS)
    statuses = [(await writer.ask("GET", COMMENTS)).status for _ in range(4)]
    assert statuses == [502, 502, 503, 200]


async def test_a_fault_meets_only_who_matches_it(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """Method, path and the token's name are globs."""
    github.faults.add(bad_gateway(), "POST", "*/comments", by="read*", times=math.inf)
    reader = writer.using(demo.reader.secret)
    assert (await reader.ask("GET", COMMENTS)).status == 200
    assert (await writer.ask("POST", COMMENTS, HELLO)).status == 201
    assert (
        await reader.ask("POST", f"{REPO}/issues/1/reactions", {"content": "eyes"})
    ).status != 502
    for _ in range(3):
        assert (await reader.ask("POST", COMMENTS, HELLO)).status == 502


async def test_cleared_faults_are_forgotten(github: GitHubStandIn, writer: Caller) -> None:
    """`clear` ends them and lets go of who waits."""
    github.faults.add(bad_gateway(), times=math.inf)
    gate = github.faults.hold("GET")
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(writer.ask("GET", REPO))
        await gate.reached()
        github.faults.clear()
    assert waiting.result().status == 502
    assert (await writer.ask("GET", REPO)).status == 200


async def test_an_answer_of_ones_own_changes_nothing(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """Status, headers and body go out as given, beside GitHub's usual headers."""
    before = len(demo.issue.comments)
    github.faults.add(
        AnswerWith(status=422, body={"message": "no"}, headers={"x-custom": "yes"}), "POST"
    )
    reply = await writer.ask("POST", COMMENTS, HELLO)
    assert (reply.status, reply.json, reply.headers["X-Custom"]) == (422, {"message": "no"}, "yes")
    assert "X-GitHub-Request-Id" in reply.headers
    assert len(demo.issue.comments) == before


async def test_the_primary_limit_lasts_until_its_reset(
    github: GitHubStandIn, writer: Caller, clock: FakeClock
) -> None:
    """403 with remaining 0 for that token's budget until the clock passes the reset."""
    github.faults.add(PrimaryLimit(reset_in_s=40), "GET")
    reset = int(clock.now()) + 40
    for _ in range(2):
        refused = await writer.ask("GET", REPO)
        assert refused.status == 403
        assert refused.headers["X-RateLimit-Remaining"] == "0"
        assert refused.headers["X-RateLimit-Reset"] == str(reset)
        clock.advance(20)
    assert (await writer.ask("GET", REPO)).status == 200


async def test_secondary_limits_come_with_and_without_advice(
    github: GitHubStandIn, writer: Caller
) -> None:
    """retry-after is there when given; the status is 403 or 429; calls remain."""
    github.faults.add(secondary_limit(retry_after=7))
    github.faults.add(secondary_limit(status=429))
    first, second = [await writer.ask("GET", REPO) for _ in range(2)]
    assert (first.status, first.headers["Retry-After"]) == (403, "7")
    assert (second.status, "Retry-After" in second.headers) == (429, False)
    for reply in (first, second):
        assert "secondary rate limit" in reply.json["message"]
        assert int(reply.headers["X-RateLimit-Remaining"]) > 0


async def test_single_sign_on_names_its_page(github: GitHubStandIn, writer: Caller) -> None:
    """403 with the page where the token can be approved."""
    github.faults.add(saml_required("https://github.com/orgs/acme/sso?token=1"))
    reply = await writer.ask("GET", REPO)
    assert reply.status == 403
    assert reply.headers["X-GitHub-SSO"] == "required; url=https://github.com/orgs/acme/sso?token=1"


async def test_a_connection_cut_before_reading_applies_nothing(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """The client sees a reset, the log has the request without a body, the issue is untouched."""
    before = len(demo.issue.comments)
    github.faults.add(CutBeforeReading(), "POST")
    with pytest.raises(GONE):
        await writer.ask("POST", COMMENTS, HELLO)
    assert len(demo.issue.comments) == before
    assert [(one.method, one.body) for one in github.requests] == [("POST", b"")]


async def test_a_connection_cut_after_applying_has_applied(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """The client sees the same reset, and the comment is there."""
    before = len(demo.issue.comments)
    github.faults.add(CutAfterApplying(), "POST")
    with pytest.raises(GONE):
        await writer.ask("POST", COMMENTS, HELLO)
    assert len(demo.issue.comments) == before + 1
    assert demo.issue.comments[-1].body == "hello"


async def test_a_slow_first_byte_is_applied_and_late(github: GitHubStandIn, writer: Caller) -> None:
    """The whole answer arrives after the time."""
    github.faults.add(SlowFirstByte(seconds=ENOUGH))
    began = time.monotonic()
    reply = await writer.ask("POST", COMMENTS, HELLO)
    assert reply.status == 201
    assert time.monotonic() - began >= ENOUGH


async def test_a_slow_body_begins_at_once_and_ends_late(
    github: GitHubStandIn, writer: Caller
) -> None:
    """Headers and the first half come first, the rest after the time; together they are right."""
    github.faults.add(SlowBody(seconds=ENOUGH))
    began = time.monotonic()
    async with writer.session.get(writer.base + REPO) as response:
        first = await response.content.readany()
        headed = time.monotonic() - began
        rest = await response.read()
        assert headed < ENOUGH <= time.monotonic() - began
        assert len(first) + len(rest) == response.content_length


async def test_a_hanging_answer_does_not_hang_the_stand_in(session: aiohttp.ClientSession) -> None:
    """Leaving the block ends what is still slow."""
    async with asyncio.timeout(5), GitHubStandIn() as other:
        other.faults.add(SlowFirstByte(seconds=3600))
        other.state.add_repository("acme/widgets")
        impatient = aiohttp.ClientTimeout(total=ENOUGH)
        with pytest.raises(TimeoutError):
            async with session.get(other.url + REPO, timeout=impatient):
                pass


async def test_a_truncated_body_is_shorter_than_announced(
    github: GitHubStandIn, writer: Caller
) -> None:
    """The client notices that the connection ended too early."""
    github.faults.add(TruncatedBody())
    with pytest.raises(aiohttp.ClientPayloadError):
        await writer.ask("GET", REPO)


async def test_malformed_json_is_whole_but_no_json(github: GitHubStandIn, writer: Caller) -> None:
    """Length and content type are right, the document is not."""
    github.faults.add(MalformedJson())
    reply = await writer.ask("GET", REPO)
    assert (reply.status, int(reply.headers["Content-Length"])) == (200, len(reply.text.encode()))
    with pytest.raises(ValueError, match=r"Unterminated|Expecting"):
        _ = reply.json


async def test_a_lagging_list_has_not_heard_of_the_newest(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """The comment itself can be read; the list shows it one request later."""
    made = (await writer.ask("POST", COMMENTS, HELLO)).json["id"]
    github.faults.add(LaggingList(newest=1), "GET", COMMENTS)
    listed = [
        [one["id"] for one in (await writer.ask("GET", f"{COMMENTS}?per_page=100")).json]
        for _ in range(2)
    ]
    assert [made in ids for ids in listed] == [False, True]


async def test_a_request_held_on_arrival_has_done_nothing(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """While it waits the state is old; another request passes it; then it goes on."""
    comment = demo.issue.comments[0]
    path = f"{REPO}/issues/comments/{comment.id}"
    gate = github.faults.hold("PATCH", path)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        held = tasks.create_task(writer.ask("PATCH", path, {"body": "held"}))
        await gate.reached()
        assert (await writer.ask("PATCH", path, {"body": "overtaking"})).status == 200
        assert comment.body == "overtaking"
        gate.release()
    assert held.result().status == 200
    assert comment.body == "held"


async def test_a_request_held_when_applied_has_done_all_but_answer(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """Others see its effect before its own client does."""
    gate = github.faults.hold("POST", COMMENTS, at=Point.APPLIED)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        held = tasks.create_task(writer.ask("POST", COMMENTS, HELLO))
        await gate.reached()
        assert demo.issue.comments[-1].body == "hello"
        assert not held.done()
        gate.release()
    assert held.result().status == 201


async def test_the_log_tells_who_asked_for_what_and_never_a_secret(
    github: GitHubStandIn, writer: Caller, demo: Demo, clock: FakeClock
) -> None:
    """Method, path, query, headers, body and time are there; tokens have names."""
    await writer.ask("POST", COMMENTS, HELLO, X_Custom="1")
    await writer.using(demo.reader.secret).ask("GET", f"{COMMENTS}?page=2&per_page=5")
    await writer.using("stolen").ask("GET", "/user")
    await writer.using("").ask("GET", REPO)
    post, get, stolen, nobody = github.requests
    assert (post.method, post.path, post.json, post.at) == ("POST", COMMENTS, HELLO, clock.now())
    assert post.headers["x-custom"] == "1"
    assert get.query == (("page", "2"), ("per_page", "5"))
    assert [one.token for one in (post, get, stolen, nobody)] == ["demo", "reader", "unknown", ""]
    assert all("stolen" not in str(one) and "demo-token" not in str(one) for one in github.requests)
    assert github.requests.matching("GET", "*/comments") == [get]
    github.requests.clear()
    assert len(github.requests) == 0


async def test_the_log_knows_how_many_were_there_at_once(
    github: GitHubStandIn, writer: Caller
) -> None:
    """`most_in_flight` is the greatest number of requests at the same time."""
    gate = github.faults.hold(times=3)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        for _ in range(3):
            tasks.create_task(writer.ask("GET", REPO))
        await gate.reached(by=3)
        gate.release()
    assert (github.requests.most_in_flight, github.requests.in_flight) == (3, 0)
