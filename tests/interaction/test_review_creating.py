"""Reviews through a real client: the good comments posted, the bad ones told."""

from collections.abc import AsyncIterator
from typing import Any, Literal

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.inline_reviewing import CHANGED, PULL, World, world
from trunkline_shared.testing.github import ChangedFile, GitHubStandIn, LaggingList

pytestmark = pytest.mark.anyio

REVIEWS = f"{PULL}/reviews"
SIDES: tuple[Literal["LEFT", "RIGHT"], ...] = ("LEFT", "RIGHT")
MARKER = len("<!-- trunkline:marker=inline-01234567890123456789 -->\n")
TOKEN = "ghp_" + "a1B2" * 9
GOOD: dict[str, object] = {"path": "src/app.py", "line": 5, "body": "Why five?"}
ALSO: dict[str, object] = {"path": "src/app.py", "startLine": 3, "line": 6, "body": "All of it?"}
BAD: dict[str, object] = {"path": "src/app.py", "line": 20, "body": "Too far away."}


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


def texts(here: World) -> list[str]:
    """Return what the comments say, without our hidden marker."""
    return [one.body.rpartition("-->\n")[2] for one in here.pull.review_comments]


async def test_create_review_posts_all_comments_in_one_review(here: World) -> None:
    """One request; each entry is answered with the comment that it became."""
    answer = await here.call("create_review", comments=[GOOD, ALSO], body="Two things.")
    (review,) = here.pull.reviews
    assert answer == IsPartialDict(
        success=True,
        review_id=review.id,
        state="COMMENTED",
        commit_id=here.head(),
        created=True,
        head_moved=False,
        rejected=[],
    )
    assert answer["html_url"].endswith(f"#pullrequestreview-{review.id}")
    ids = [one.id for one in here.pull.review_comments]
    assert [one["comment_id"] for one in answer["posted"]] == ids
    assert answer["posted"][1] == IsPartialDict(index=1, start_line=3, line=6, created=True)
    assert texts(here) == ["Why five?", "All of it?"]
    assert len(here.github.requests.matching("POST", REVIEWS)) == 1


@pytest.mark.requirement("reviews.good-and-bad")
async def test_the_good_comments_are_posted_and_the_bad_ones_are_told(here: World) -> None:
    """GitHub would refuse the whole and not say which; here each has index, reason and way out."""
    other = {"path": "src/ap.py", "line": 5, "body": "Typo in the path."}
    answer = await here.call("create_review", comments=[BAD, GOOD, other])
    assert [one["index"] for one in answer["posted"]] == [1]
    far, typo = answer["rejected"]
    assert far == IsPartialDict(index=0, reason="line_not_in_diff")
    assert far["nearest"] == {"line": 27, "side": "RIGHT"}
    assert far["valid_ranges"] == [[2, 8], [27, 32]]
    assert typo == IsPartialDict(index=2, reason="path_not_in_diff", nearest_path="src/app.py")
    assert texts(here) == ["Why five?"]


@pytest.mark.requirement("reviews.good-and-bad")
async def test_the_nearest_place_of_a_rejected_comment_works_as_it_is(here: World) -> None:
    """One retry with what was told succeeds."""
    error = await here.refused("create_review", comments=[BAD])
    (rejected,) = error["details"]["rejected"]
    answer = await here.call("create_review", comments=[BAD | rejected["nearest"]])
    assert answer["posted"][0]["line"] == 27


@pytest.mark.requirement("reviews.good-and-bad")
async def test_a_review_with_nothing_good_in_it_is_not_posted_empty(here: World) -> None:
    """LINE_NOT_IN_DIFF with every rejection; GitHub is not asked to write."""
    error = await here.refused("create_review", comments=[BAD, BAD | {"line": 21}])
    assert error["error_code"] == "LINE_NOT_IN_DIFF"
    assert [one["index"] for one in error["details"]["rejected"]] == [0, 1]
    assert not here.github.requests.matching("POST", REVIEWS)


async def test_an_approval_is_not_given_when_all_of_its_comments_were_lost(here: World) -> None:
    """Whoever approves with remarks does not approve without them."""
    error = await here.refused("create_review", comments=[BAD], event="APPROVE")
    assert error["error_code"] == "LINE_NOT_IN_DIFF"
    assert not here.pull.reviews


async def test_a_text_is_posted_even_when_all_comments_were_rejected(here: World) -> None:
    """The text stands for itself, and the rejections are told."""
    answer = await here.call("create_review", comments=[BAD], body="See the summary.")
    assert (answer["posted"], len(answer["rejected"])) == ([], 1)
    assert [one.body for one in here.pull.reviews] == ["See the summary."]


async def test_comments_bad_in_themselves_are_rejected_one_by_one(here: World) -> None:
    """Blank, too long, badly fenced, backwards, repeated: the others are posted."""
    suggestion = "```suggestion\nx = 1\n"
    answer = await here.call(
        "create_review",
        comments=[
            GOOD | {"body": " "},
            GOOD | {"body": "x" * 65_537},
            GOOD | {"body": suggestion},
            GOOD | {"startLine": 7},
            GOOD | {"body": suggestion + "```", "side": "LEFT"},
            GOOD | {"path": "../secret"},
            {"path": "src/app.py", "body": "where?"},
            GOOD,
            GOOD,
        ],
    )
    told = {one["index"]: one["reason"] for one in answer["rejected"]}
    assert told == {
        0: "unusable_body",
        1: "too_long",
        2: "unusable_body",
        3: "start_after_line",
        4: "suggestion_not_on_right",
        5: "path_leaves_repository",
        6: "no_line",
        8: "repeated",
    }
    assert texts(here) == ["Why five?"]


async def test_only_bad_texts_are_invalid_input(here: World) -> None:
    """Nothing was wrong with the lines, so the code does not say so."""
    error = await here.refused("create_review", comments=[GOOD | {"body": " "}])
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["rejected"][0]["index"] == 0


async def test_sides_renames_and_ranges_are_sent_as_github_takes_them(here: World) -> None:
    """LEFT numbers the base; a renamed file's old path leads to its new one; equal ends are one."""
    answer = await here.call(
        "create_review",
        comments=[
            {"path": "src/app.py", "line": 30, "side": "LEFT", "body": "Why gone?"},
            {"path": "old/name.py", "line": 5, "body": "Renamed."},
            {"path": "./src\\app.py", "startLine": 5, "line": 5, "body": "One line."},
            {"path": "src/app.py", "start_line": 5, "start_side": "LEFT", "line": 6, "body": "Mix"},
            {"path": "logo.png", "line": 1, "body": "No patch."},
        ],
    )
    assert [one["reason"] for one in answer["rejected"]] == ["no_patch"]
    body: Any = here.github.requests.matching("POST", REVIEWS)[0].json
    sent = body["comments"]
    assert sent[0] == IsPartialDict(line=30, side="LEFT")
    assert sent[1]["path"] == "new/name.py"
    assert "renamed" in answer["posted"][1]["note"]
    assert "start_line" not in sent[2]
    assert sent[3] == IsPartialDict(start_line=5, start_side="LEFT", line=6, side="RIGHT")
    assert not any("position" in one for one in sent)


@pytest.mark.requirement("reviews.secrets-out")
async def test_a_secret_in_any_comment_stops_the_whole_review(here: World) -> None:
    """BLOCKED_BY_POLICY names the entry and the kind, never the secret; nothing is asked."""
    error = await here.refused("create_review", comments=[GOOD, GOOD | {"body": f"key {TOKEN}"}])
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert error["details"] == IsPartialDict(indexes=[1], kinds=["GitHub token"])
    assert TOKEN not in str(error)
    body = await here.refused("create_review", body=f"key {TOKEN}")
    assert body["error_code"] == "BLOCKED_BY_POLICY"
    assert not here.github.requests.matching()


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "body"),
        ({"body": " \n"}, "body"),
        ({"event": "REQUEST_CHANGES", "comments": [GOOD]}, "body"),
        ({"event": "REJECT", "body": "a"}, "event"),
        ({"comments": [GOOD] * 51}, "comments"),
        ({"comments": [GOOD | {"line": 0}]}, "comments.0.line"),
        ({"comments": [GOOD | {"line": 1.5}]}, "comments.0.line"),
        ({"comments": [GOOD | {"position": 3}]}, "comments.0.position"),
        ({"body": "a", "dedupe_key": "a\nb"}, "dedupe_key"),
    ],
)
async def test_what_no_review_can_be_is_invalid_input(
    here: World, arguments: dict[str, object], field: str
) -> None:
    """The field is named, and nothing is posted."""
    error = await here.refused("create_review", **arguments)
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["field_errors"][0]["field"] == field
    assert not here.github.requests.matching("POST", REVIEWS)


@pytest.mark.requirement("reviews.good-and-bad")
async def test_of_all_lines_of_all_files_exactly_those_are_posted_that_github_takes(
    here: World,
) -> None:
    """The checks here and the stand-in's, which reads no patch, agree on each line and side."""
    places = [(file, side, line) for file in CHANGED for side in SIDES for line in range(1, 46)]
    posted: list[bool] = []
    for start in range(0, len(places), 50):
        comments = [
            {"path": file.path, "side": side, "line": line, "body": f"{side} {line}"}
            for file, side, line in places[start : start + 50]
        ]
        answer = await here.raw("create_review", comments=comments)
        good = {one["index"] for one in (answer.structured_content or {"posted": []})["posted"]}
        posted += [index in good for index in range(len(comments))]
    shown = [file.hunk_of(side, line) is not None for file, side, line in places]
    assert posted == shown
    assert len(here.pull.review_comments) == sum(shown)


async def test_fifty_comments_go_out_in_one_review(here: World) -> None:
    """The most that are taken, each as long as GitHub takes it."""
    comments = [GOOD | {"body": f"{n:02}" + "x" * (65_534 - MARKER)} for n in range(50)]
    answer = await here.call("create_review", comments=comments)
    assert len({one["comment_id"] for one in answer["posted"]}) == 50
    assert len(here.pull.reviews) == 1


@pytest.mark.requirement("reviews.approve")
@pytest.mark.parametrize("writes", ["", "delete"])
async def test_approving_is_refused_unless_the_operator_allowed_it(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, writes: str
) -> None:
    """BLOCKED_BY_POLICY names the variable; the other events work."""
    async with world(github, monkeypatch, enable_writes=writes) as here:
        for tool in ("create_review", "submit_pending_review"):
            error = await here.refused(tool, event="APPROVE")
            assert error["error_code"] == "BLOCKED_BY_POLICY", tool
            assert "TRUNKLINE_ENABLE_WRITES=approve" in error["hint"]
        assert not here.github.requests.matching()
        await here.call("create_review", event="REQUEST_CHANGES", body="Please.")
        assert here.pull.reviews[0].state == "CHANGES_REQUESTED"


@pytest.mark.requirement("reviews.approve")
async def test_an_allowed_approval_needs_no_text(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `TRUNKLINE_ENABLE_WRITES=approve`."""
    async with world(github, monkeypatch, enable_writes="approve") as here:
        answer = await here.call("create_review", event="APPROVE")
        assert answer["state"] == "APPROVED"


@pytest.mark.requirement("reviews.own-pull-request")
@pytest.mark.parametrize("event", ["APPROVE", "REQUEST_CHANGES"])
async def test_nobody_judges_their_own_pull_request(here: World, event: str) -> None:
    """Known before GitHub says 422; a comment is fine."""
    here.pull.author = here.me
    error = await here.refused("create_review", event=event, body="Good.")
    assert (error["error_code"], error["details"]["reason"]) == (
        "INVALID_INPUT",
        "own_pull_request",
    )
    assert not here.github.requests.matching("POST", REVIEWS)
    await here.call("create_review", comments=[GOOD])


@pytest.mark.requirement("reviews.closed-doors")
async def test_a_merged_pull_request_takes_reviews_and_a_locked_one_does_not(here: World) -> None:
    """403 with its reason; a reply is refused alike."""
    head = here.pull.add_review_comment("Why?", here.stranger, path="src/app.py", line=5)
    here.pull.close()
    await here.call("create_review", comments=[GOOD])
    here.pull.locked = True
    here.repository.grant(here.me, "read")
    for tool, arguments in (
        ("create_review", {"comments": [ALSO]}),
        ("reply_to_review_comment", {"comment_id": head.id, "body": "So."}),
    ):
        error = await here.refused(tool, **arguments)
        assert (error["error_code"], error["details"]["reason"]) == (
            "PERMISSION_DENIED",
            "locked",
        )


async def test_the_number_of_an_issue_and_of_nothing_are_not_found(here: World) -> None:
    """Reviews are of pull requests."""
    for number in (1, 99):
        error = await here.refused("create_review", pr_number=number, body="a")
        assert error["error_code"] == "NOT_FOUND"


@pytest.mark.requirement("reviews.duplicates")
async def test_a_review_that_is_sent_again_is_found_and_not_repeated(here: World) -> None:
    """Models repeat a call after a slow answer: the same review is answered."""
    first = await here.call("create_review", comments=[GOOD, ALSO], body="Two things.")
    again = await here.call("create_review", comments=[GOOD, ALSO], body="Two things.")
    assert (again["created"], again["review_id"]) == (False, first["review_id"])
    assert [one["created"] for one in again["posted"]] == [False, False]
    bare = await here.call("create_review", comments=[ALSO])
    assert (bare["created"], bare["review_id"]) == (False, first["review_id"])
    assert len(here.pull.reviews) == 1


@pytest.mark.requirement("reviews.duplicates")
async def test_only_what_is_new_of_a_review_is_posted(here: World) -> None:
    """A comment that stands there, also by create_inline_comment, is not posted again."""
    inline = await here.call("create_inline_comment", **GOOD)
    answer = await here.call("create_review", comments=[GOOD, ALSO])
    assert [one["created"] for one in answer["posted"]] == [False, True]
    assert answer["posted"][0]["comment_id"] == inline["comment_id"]
    assert texts(here) == ["Why five?", "All of it?"]
    back = await here.call("create_inline_comment", **ALSO)
    assert (back["created"], back["comment_id"]) == (False, answer["posted"][1]["comment_id"])


@pytest.mark.requirement("reviews.duplicates")
async def test_a_strangers_or_outdated_comment_is_no_duplicate(here: World) -> None:
    """Only one's own, where the diff still shows it."""
    here.pull.add_review_comment("Why five?", here.stranger, path="src/app.py", line=5)
    outdated = here.pull.add_review_comment("Why five?", here.me, path="src/app.py", line=5)
    outdated.line = None
    answer = await here.call("create_review", comments=[GOOD])
    assert (answer["created"], answer["posted"][0]["created"]) == (True, True)


async def test_a_judgement_is_repeated_when_another_came_between(here: World) -> None:
    """Approving, asking for changes and approving again are three reviews."""
    for event in ("APPROVE", "APPROVE", "REQUEST_CHANGES", "APPROVE"):
        await here.call("create_review", event=event, body="Judged.")
    states = [one.state for one in here.pull.reviews]
    assert states == ["APPROVED", "CHANGES_REQUESTED", "APPROVED"]


async def test_the_same_words_about_another_head_are_another_review(here: World) -> None:
    """A review is of a commit."""
    await here.call("create_review", body="Looks good.")
    here.repository.push(here.pull, ChangedFile(path="a", before="1\n", after="2\n"))
    assert (await here.call("create_review", body="Looks good."))["created"] is True


@pytest.mark.requirement("reviews.no-duplicate")
async def test_a_dedupe_key_makes_one_review_whatever_it_says(here: World) -> None:
    """The second call answers with the first one's review, on any head, also on a late list."""
    one = await here.call("create_review", comments=[GOOD], body="a", dedupe_key="run 7")
    here.github.faults.add(LaggingList(newest=1), "GET", REVIEWS)
    two = await here.call("create_review", comments=[GOOD], body="b", dedupe_key="run 7")
    three = await here.call("create_review", comments=[GOOD], body="c", dedupe_key="run 7")
    assert (one["created"], two["created"], three["created"]) == (True, False, False)
    assert one["review_id"] == two["review_id"] == three["review_id"]
    assert two["posted"][0]["comment_id"] == one["posted"][0]["comment_id"]
    assert [one.body for one in here.pull.reviews] == ["<!-- trunkline:marker=run%207 -->\na"]


@pytest.mark.requirement("reviews.binding")
async def test_a_review_outside_the_context_is_not_made(here: World) -> None:
    """A context bound to one pull request reaches no other."""
    bound = {"dev.trunkline/bind": {"owner": "acme", "repo": "widgets", "pr_number": 7}}
    for tool in ("create_review", "start_pending_review", "submit_pending_review", "list_reviews"):
        error = await here.refused(tool, meta=bound, **({} if "list" in tool else {"body": "a"}))
        assert error["error_code"] == "BLOCKED_BY_POLICY", tool
    assert not here.pull.reviews
