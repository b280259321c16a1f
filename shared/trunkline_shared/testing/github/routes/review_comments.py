"""Comments on the lines of a pull request's diff, and on its whole files."""

from collections.abc import Mapping, Sequence

from trunkline_shared.testing.github.access import (
    at_least,
    repository_of,
    require_read,
    require_unlocked,
    require_write,
)
from trunkline_shared.testing.github.anchoring import Place, hunk_shown
from trunkline_shared.testing.github.anchors import Anchor, anchor_of, why_not
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.testing.github.conversation import Issue, Pull, ReviewComment
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.conversations import review_comment
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.bodies import body_of
from trunkline_shared.testing.github.routes.pulls import ONE as PULL
from trunkline_shared.testing.github.routes.pulls import pull_of
from trunkline_shared.testing.github.routes.repositories import REPOSITORY
from trunkline_shared.testing.github.routes.review_replies import has_pending
from trunkline_shared.testing.github.routes.times import since_of

LIST = PULL + "/comments"
ONE = REPOSITORY + "/pulls/comments/{comment_id}"
RESOURCE = "PullRequestReviewComment"


def list_comments(call: Call) -> Answer:
    """Return a page of a pull request's review comments; the direction counts only with `sort`."""
    home = repository_of(call)
    require_read(call, home, ("pull_requests",))
    issue, _ = pull_of(call, home)
    seen = [one for one in issue.review_comments if not _is_pending(one)]
    seen = seen[: len(seen) - call.lag]
    since = since_of(call)
    if since is not None:
        seen = [one for one in seen if one.updated_at >= since]
    address = f"{call.urls.permanent(home)}/pulls/{issue.number}/comments"
    shown, links = page_of(call, _sorted(seen, call.query), address)
    return Answer(json=[review_comment(one, home, call.urls) for one in shown], headers=links)


def _is_pending(one: ReviewComment) -> bool:
    return one.review is not None and one.review.state == "PENDING"


def _sorted(seen: list[ReviewComment], query: Mapping[str, str]) -> Sequence[ReviewComment]:
    sort = query.get("sort")
    if sort == "updated":
        seen = sorted(seen, key=lambda one: one.updated_at)
    return seen[::-1] if sort and query.get("direction") == "desc" else seen


def create_comment(call: Call) -> Answer:
    """Add a comment of the caller on lines that the diff shows, or on a whole file."""
    home = repository_of(call)
    token = require_write(call, home, ("pull_requests",))
    issue, pull = pull_of(call, home)
    require_unlocked(call, home, issue)
    body = body_of(call, RESOURCE)
    if issue.pending_of(token.user) is not None:
        raise has_pending()
    file = _file(call, pull)
    anchor = _anchor(call, file)
    comment = issue.add_review_comment(body, token.user, path=file.path, line=anchor.line)
    _place(comment, file, anchor, commit=str(call.body["commit_id"]))
    comment.review = issue.add_review(token.user, commit_id=comment.commit_id)
    _age(comment, issue, pull)
    location = call.urls.review_comment(home, comment)
    shown = review_comment(comment, home, call.urls)
    return Answer(status=201, json=shown, headers={"location": location})


def _file(call: Call, pull: Pull) -> ChangedFile:
    """Return the file as the commit that is named has it, or refuse commit or path."""
    commit, path = call.body.get("commit_id"), call.body.get("path")
    if commit not in pull.commits:
        raise _refused("commit_id", "commit_id is not part of the pull request", "custom")
    files = pull.files if commit == pull.head_sha else pull.earlier[str(commit)]
    found = next((one for one in files if one.path == path), None)
    if found is None:
        raise _refused("pull_request_review_thread.path", "", "invalid")
    return found


def _anchor(call: Call, file: ChangedFile) -> Anchor:
    anchor = anchor_of(call.body)
    if call.body.get("subject_type") == "file":
        return Anchor(path=file.path, line=None, side="RIGHT", start_line=None, start_side="RIGHT")
    reason = why_not(file, anchor)
    if reason is not None:
        raise _refused(reason.field, reason.message, "custom")
    return anchor


def _place(comment: ReviewComment, file: ChangedFile, anchor: Anchor, *, commit: str) -> None:
    comment.commit_id = commit
    if anchor.line is None:
        comment.diff_hunk = ""
        return
    comment.side, comment.start_line = anchor.side, anchor.start_line
    comment.original_start_line = anchor.start_line
    comment.start_side = None if anchor.start_line is None else anchor.start_side
    comment.diff_hunk = hunk_shown(file, Place(line=anchor.line, side=anchor.side))


def _age(comment: ReviewComment, issue: Issue, pull: Pull) -> None:
    """Take its line from a comment on an earlier head that the diff does not show any more."""
    now = next((one for one in pull.files if one.path == comment.path), None)
    line = comment.line
    if line is not None and (now is None or now.hunk_of(comment.side, line) is None):
        comment.line = comment.start_line = None
    issue.updated_at = max(issue.updated_at, comment.updated_at)


def _refused(field: str, message: str, code: str) -> Refusal:
    error = {"resource": RESOURCE, "code": code, "field": field}
    shown = [error | {"message": message} if message else error]
    if field.endswith(".line"):
        hunk = "pull_request_review_thread.diff_hunk"
        shown.append({"resource": RESOURCE, "code": "missing_field", "field": hunk})
    return Refusal(422, "Validation Failed", errors=shown)


def get_comment(call: Call) -> Answer:
    """Return one review comment."""
    home = repository_of(call)
    require_read(call, home, ("pull_requests",))
    comment = comment_of(call, home)
    shown = review_comment(comment, home, call.urls)
    return Answer(json=shown, last_modified=comment.updated_at)


def update_comment(call: Call) -> Answer:
    """Give a review comment another text."""
    home, comment = _writable(call)
    comment.body = body_of(call, RESOURCE)
    comment.updated_at = comment.issue.updated_at = call.state.ledger.now()
    return Answer(json=review_comment(comment, home, call.urls))


def delete_comment(call: Call) -> Answer:
    """Remove a review comment."""
    _, comment = _writable(call)
    comment.issue.review_comments.remove(comment)
    return Answer(status=204)


def comment_of(call: Call, home: Repository) -> ReviewComment:
    """Return the review comment that the path names, or refuse with 404."""
    wanted = int(call.path["comment_id"])
    for comment in call.state.review_comments(home):
        if comment.id == wanted:
            return comment
    raise Refusal(404, "Not Found")


def _writable(call: Call) -> tuple[Repository, ReviewComment]:
    home = repository_of(call)
    token = require_write(call, home, ("pull_requests",))
    comment = comment_of(call, home)
    if comment.author is not token.user and not at_least(call, home, "write"):
        raise Refusal(403, "Must have admin rights to Repository.")
    return home, comment


ROUTES = (
    Route(method="GET", path=LIST, handle=list_comments),
    Route(method="POST", path=LIST, handle=create_comment),
    Route(method="GET", path=ONE, handle=get_comment),
    Route(method="PATCH", path=ONE, handle=update_comment),
    Route(method="DELETE", path=ONE, handle=delete_comment),
)
