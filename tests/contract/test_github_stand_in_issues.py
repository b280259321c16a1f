"""Issues, labels and search of the stand-in, as GitHub documents them."""

import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.github import Demo, GitHubStandIn

pytestmark = pytest.mark.anyio

REPO = "/repos/acme/widgets"


async def titles(caller: Caller, path: str) -> list[str]:
    """Return the titles of a list or a search."""
    found = (await caller.ask("GET", path)).json
    listed = found if isinstance(found, list) else found["items"]
    return [one["title"] for one in listed]


async def test_the_list_holds_pull_requests_too_newest_first(writer: Caller) -> None:
    """The open ones, unless asked."""
    found = await writer.ask("GET", f"{REPO}/issues")
    assert [(one["number"], "pull_request" in one) for one in found.json] == [
        (2, True),
        (1, False),
    ]
    everything = await titles(writer, f"{REPO}/issues?state=all&sort=created&direction=asc")
    assert everything[0] == "Widgets wobble under load"
    assert len(everything) == 3


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("labels=bug", [1]),
        ("labels=bug,urgent", []),
        ("creator=ALICE", [1]),
        ("assignee=none", [2]),
        ("assignee=*", [1]),
        ("milestone=1", [1]),
        ("milestone=none", [2]),
        ("milestone=*", [1]),
        ("type=Bug", [1]),
        ("since=2100-01-01T00:00:00Z", []),
        ("state=closed", [3]),
        ("sort=comments", [1, 2]),
    ],
)
async def test_each_filter_filters(
    writer: Caller, demo: Demo, query: str, numbers: list[int]
) -> None:
    """Alone."""
    tracker = demo.repository.tracker
    demo.issue.labels.append(tracker.add_label("Bug"))
    tracker.add_label("urgent")
    demo.issue.assignees.append(demo.token.user)
    demo.issue.milestone, demo.issue.type = tracker.add_milestone("1.0"), "Bug"
    found = (await writer.ask("GET", f"{REPO}/issues?{query}")).json
    assert [one["number"] for one in found] == numbers


@pytest.mark.parametrize("query", ["assignee=nobody-there", "milestone=soon"])
async def test_a_filter_by_nothing_is_unprocessable(writer: Caller, query: str) -> None:
    """422 names the field."""
    reply = await writer.ask("GET", f"{REPO}/issues?{query}")
    assert (reply.status, reply.json["errors"][0]["code"]) == (422, "invalid")


async def test_unknown_labels_are_made_grey_by_who_may_write(writer: Caller, demo: Demo) -> None:
    """Without a word; who may only triage is refused."""
    reply = await writer.ask("POST", f"{REPO}/issues/1/labels", {"labels": ["new", {"name": "x"}]})
    assert [(one["name"], one["color"]) for one in reply.json] == [
        ("new", "ededed"),
        ("x", "ededed"),
    ]
    demo.repository.grant(demo.token.user, "triage")
    refused = await writer.ask("POST", f"{REPO}/issues/1/labels", {"labels": ["newer"]})
    known = await writer.ask("POST", f"{REPO}/issues/2/labels", {"labels": ["NEW"]})
    assert (refused.status, known.status) == (403, 200)
    demo.repository.grant(demo.token.user, "read")
    assert (await writer.ask("DELETE", f"{REPO}/issues/1/labels/new")).status == 403


async def test_a_label_is_taken_off_once(writer: Caller) -> None:
    """The second time it does not exist."""
    await writer.ask("POST", f"{REPO}/issues/1/labels", {"labels": ["a/b", "c"]})
    one = await writer.ask("DELETE", f"{REPO}/issues/1/labels/A%2Fb")
    two = await writer.ask("DELETE", f"{REPO}/issues/1/labels/a%2Fb")
    there = await writer.ask("GET", f"{REPO}/issues/1/labels")
    assert ([label["name"] for label in one.json], two.status) == (["c"], 404)
    assert [label["name"] for label in there.json] == ["c"]
    listed = [label["name"] for label in (await writer.ask("GET", f"{REPO}/labels")).json]
    assert listed[-2:] == ["a/b", "c"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"title": " "}, "title"),
        ({"title": "x" * 257}, "title"),
        ({"title": "ok", "body": "x" * 65_537}, "body"),
        ({"title": "ok", "assignees": ["nobody-there"]}, "assignees"),
        ({"title": "ok", "milestone": 9}, "milestone"),
        ({"title": "ok", "labels": [" "]}, "name"),
    ],
)
async def test_an_issue_that_cannot_be_is_not_opened_nor_changed(
    writer: Caller, demo: Demo, body: dict[str, object], field: str
) -> None:
    """422 names the field, and nothing of it is done."""
    for method, path in (("POST", f"{REPO}/issues"), ("PATCH", f"{REPO}/issues/1")):
        reply = await writer.ask(method, path, body)
        assert (reply.status, reply.json["errors"][0]["field"]) == (422, field)
    assert len(demo.repository.issues) == 3
    assert demo.issue.title == "Widgets wobble under load"


async def test_closing_and_opening_again_have_their_reasons(writer: Caller, demo: Demo) -> None:
    """And who did it; a pull request has no reason."""
    body = {"state": "closed", "state_reason": "not_planned"}
    closed = await writer.ask("PATCH", f"{REPO}/issues/1", body)
    assert closed.json["state_reason"] == "not_planned"
    assert closed.json["closed_by"]["login"] == "demo"
    again = await writer.ask("PATCH", f"{REPO}/issues/1", {"state": "open"})
    assert (again.json["state_reason"], again.json["closed_at"]) == ("reopened", None)
    await writer.ask("PATCH", f"{REPO}/issues/2", {"state": "closed"})
    assert (demo.pull.state, demo.pull.state_reason) == ("closed", None)


async def test_a_duplicate_has_to_exist(writer: Caller, demo: Demo) -> None:
    """By its id, not by its number."""
    body = {"state": "closed", "state_reason": "duplicate", "duplicate_issue_id": 3}
    assert (await writer.ask("PATCH", f"{REPO}/issues/1", body)).status == 422
    body["duplicate_issue_id"] = demo.locked.id
    assert (await writer.ask("PATCH", f"{REPO}/issues/1", body)).status == 200
    assert demo.issue.duplicate_of is demo.locked


async def test_who_may_only_read_opens_an_issue_and_nothing_more(
    writer: Caller, demo: Demo
) -> None:
    """Labels are dropped silently, other people's issues are not changed."""
    demo.repository.grant(demo.token.user, "read")
    reply = await writer.ask("POST", f"{REPO}/issues", {"title": "Mine", "labels": ["bug"]})
    assert (reply.status, reply.json["labels"]) == (201, [])
    theirs = await writer.ask("PATCH", f"{REPO}/issues/1", {"title": "New"})
    mine = await writer.ask("PATCH", f"{REPO}/issues/4", {"title": "New"})
    assert (theirs.status, mine.json["title"]) == (403, "New")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("repo:acme/widgets wobble", ["Widgets wobble under load"]),
        ("repo:acme/widgets is:pr", ["WID-2: Tighten the screws"]),
        ("repo:acme/widgets is:closed", ["Which colour shall widgets have?"]),
        (
            "repo:acme/widgets (wobble OR screws)",
            ["WID-2: Tighten the screws", "Widgets wobble under load"],
        ),
        ("repo:acme/nothing wobble OR plans", ["Elsewhere plans"]),
        ("repo:acme/nothing (wobble OR plans)", []),
        ('repo:acme/widgets "wobble under"', ["Widgets wobble under load"]),
        ("repo:acme/widgets is:issue -wobble", ["Which colour shall widgets have?"]),
        ("repo:acme/widgets is:issue AND NOT wobble", ["Which colour shall widgets have?"]),
        ("org:elsewhere author:ghost", []),
        ("plans in:title sort:updated", ["Elsewhere plans"]),
    ],
)
async def test_a_search_reads_the_language(
    github: GitHubStandIn, writer: Caller, query: str, found: list[str]
) -> None:
    """An OR outside of parentheses reaches every repository that the token sees."""
    github.state.add_repository("acme/nothing")
    other = github.state.add_repository("elsewhere/plans")
    other.add_issue("Elsewhere plans", None)
    assert sorted(await titles(writer, f"/search/issues?q={query.replace(' ', '+')}")) == found


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("q=", "Validation Failed"),
        ("q=%22a", "Validation Failed"),
        ("q=(a", "Validation Failed"),
        ("q=a)", "Validation Failed"),
        ("q=repo:acme/unknown", "Validation Failed"),
        ("q=a&per_page=100&page=11", "Only the first 1000 search results are available"),
    ],
)
async def test_a_search_that_cannot_be_is_unprocessable(
    writer: Caller, query: str, message: str
) -> None:
    """422, on the quota of searches."""
    reply = await writer.ask("GET", f"/search/issues?{query}")
    assert (reply.status, reply.json["message"]) == (422, message)
    assert reply.headers["x-ratelimit-resource"] == "search"
