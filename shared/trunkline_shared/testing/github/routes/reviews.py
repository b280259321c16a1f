"""Reviews of a pull request: begun, submitted, discarded, read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trunkline_shared.testing.github.access import (
    Area,
    repository_of,
    require_read,
    require_unlocked,
    require_write,
)
from trunkline_shared.testing.github.anchors import anchor_of, problem
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.testing.github.conversation import Issue, Pull, Review, ReviewState
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.reviews import comment_of_review, review
from trunkline_shared.testing.github.people import User
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.bodies import LONGEST
from trunkline_shared.testing.github.routes.pulls import ONE as PULL
from trunkline_shared.testing.github.routes.pulls import pull_of

LIST = PULL + "/reviews"
ONE = LIST + "/{review_id}"
AREA: tuple[Area, ...] = ("pull_requests",)
STATES: Mapping[str, ReviewState] = {
    "APPROVE": "APPROVED",
    "REQUEST_CHANGES": "CHANGES_REQUESTED",
    "COMMENT": "COMMENTED",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a request that changes reviews is about, and who sends it."""

    home: Repository
    issue: Issue
    pull: Pull
    user: User


def list_reviews(call: Call) -> Answer:
    """Return a page of the reviews, oldest first; the caller's own pending one is among them."""
    home = repository_of(call)
    require_read(call, home, AREA)
    issue, _ = pull_of(call, home)
    seen = [one for one in issue.reviews if _visible(call, one)]
    seen = seen[: len(seen) - call.lag]
    address = f"{call.urls.permanent(home)}/pulls/{issue.number}/reviews"
    shown, links = page_of(call, seen, address)
    return Answer(json=[review(one, home, call.urls) for one in shown], headers=links)


def create_review(call: Call) -> Answer:
    """Add a review with all of its comments, or nothing; without an event it stays pending."""
    desk = _desk(call)
    require_unlocked(call, desk.home, desk.issue)
    if desk.issue.pending_of(desk.user) is not None:
        raise refused("User can only have one pending review per pull request")
    commit = str(call.body.get("commit_id") or desk.pull.head_sha)
    if commit not in desk.pull.commits:
        raise refused("The commit_id is not part of the pull request")
    files = desk.pull.files if commit == desk.pull.head_sha else desk.pull.earlier[commit]
    drafts = _drafts(call, files)
    event, body = call.body.get("event"), _text(call.body)
    if event is not None:
        _require_submittable(desk, str(event), body, has_comments=bool(drafts))
    state: ReviewState = STATES[str(event)] if event is not None else "PENDING"
    new = desk.issue.add_review(desk.user, state, body=body, commit_id=commit)
    for draft in drafts:
        _comment(new, draft)
    return Answer(json=review(new, desk.home, call.urls))


def get_review(call: Call) -> Answer:
    """Return one review."""
    home = repository_of(call)
    require_read(call, home, AREA)
    issue, _ = pull_of(call, home)
    return Answer(json=review(_named(call, issue), home, call.urls))


def update_review(call: Call) -> Answer:
    """Give a review another text."""
    desk = _desk(call)
    named = _own(call, desk)
    named.body = _text(call.body)
    return Answer(json=review(named, desk.home, call.urls))


def delete_review(call: Call) -> Answer:
    """Discard a pending review with its comments; a submitted one stays."""
    desk = _desk(call)
    named = _own(call, desk)
    if named.state != "PENDING":
        raise refused("Can not delete a non-pending pull request review")
    desk.issue.reviews.remove(named)
    comments = desk.issue.review_comments
    desk.issue.review_comments = [one for one in comments if one.review is not named]
    return Answer(json=review(named, desk.home, call.urls))


def submit_review(call: Call) -> Answer:
    """Submit a pending review."""
    desk = _desk(call)
    named = _own(call, desk)
    if named.state != "PENDING":
        raise refused("Can not submit a review that is not pending")
    event, body = str(call.body.get("event")), _text(call.body) or named.body
    _require_submittable(desk, event, body, has_comments=_has_comments(named))
    named.body, named.state = body, STATES[event]
    named.submitted_at = desk.issue.updated_at = call.state.ledger.now()
    return Answer(json=review(named, desk.home, call.urls))


def list_comments(call: Call) -> Answer:
    """Return a page of one review's comments, without their lines."""
    home = repository_of(call)
    require_read(call, home, AREA)
    issue, _ = pull_of(call, home)
    named = _named(call, issue)
    own = [one for one in issue.review_comments if one.review is named]
    address = f"{call.urls.permanent(home)}/pulls/{issue.number}/reviews/{named.id}/comments"
    shown, links = page_of(call, own, address)
    return Answer(json=[comment_of_review(one, home, call.urls) for one in shown], headers=links)


def refused(why: str) -> Refusal:
    """Return the refusal that reviews have: one sentence, and nothing about where."""
    return Refusal(422, "Unprocessable Entity", errors=[why])


def _desk(call: Call) -> Desk:
    home = repository_of(call)
    token = require_write(call, home, AREA)
    issue, pull = pull_of(call, home)
    return Desk(home=home, issue=issue, pull=pull, user=token.user)


def _visible(call: Call, one: Review) -> bool:
    mine = call.token is not None and one.author is call.token.user
    return one.state != "PENDING" or mine


def _named(call: Call, issue: Issue) -> Review:
    wanted = int(call.path["review_id"])
    for one in issue.reviews:
        if one.id == wanted and _visible(call, one):
            return one
    raise Refusal(404, "Not Found")


def _own(call: Call, desk: Desk) -> Review:
    named = _named(call, desk.issue)
    if named.author is not desk.user:
        raise Refusal(403, "Must be the author of the review.")
    return named


def _require_submittable(desk: Desk, event: str, body: str, *, has_comments: bool) -> None:
    if event != "COMMENT" and desk.issue.author is desk.user:
        doing = "approve" if event == "APPROVE" else "request changes on"
        raise refused(f"Can not {doing} your own pull request")
    if event == "REQUEST_CHANGES" and not body.strip():
        raise refused("You need to leave a comment indicating the requested changes")
    if event == "COMMENT" and not body.strip() and not has_comments:
        raise refused("Review body or comments are required")


def _drafts(call: Call, files: Sequence[ChangedFile]) -> list[Mapping[str, object]]:
    """Return the comments of a new review; one bad one refuses all, and is not named."""
    given = call.body.get("comments")
    drafts = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    for draft in drafts:
        if (why := problem(files, anchor_of(draft))) is not None:
            raise refused(why)
        if not _text(draft).strip():
            raise refused("Body can't be blank")
    return drafts


def _text(given: Mapping[str, object]) -> str:
    body = str(given.get("body") or "")
    if len(body) > LONGEST:
        raise refused(f"Body is too long (maximum is {LONGEST} characters)")
    return body


def _has_comments(one: Review) -> bool:
    return any(comment.review is one for comment in one.issue.review_comments)


def _comment(new: Review, draft: Mapping[str, object]) -> None:
    anchor = anchor_of(draft)
    assert anchor.line is not None
    comment = new.issue.add_review_comment(
        _text(draft), new.author, path=anchor.path, line=anchor.line
    )
    comment.side, comment.start_line = anchor.side, anchor.start_line
    comment.original_start_line = anchor.start_line
    comment.start_side = None if anchor.start_line is None else anchor.start_side
    comment.commit_id, comment.review = new.commit_id, new


ROUTES = (
    Route(method="GET", path=LIST, handle=list_reviews),
    Route(method="POST", path=LIST, handle=create_review),
    Route(method="GET", path=ONE, handle=get_review),
    Route(method="PUT", path=ONE, handle=update_review),
    Route(method="DELETE", path=ONE, handle=delete_review),
    Route(method="GET", path=ONE + "/comments", handle=list_comments),
    Route(method="POST", path=ONE + "/events", handle=submit_review),
)
