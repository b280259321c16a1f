"""Comments on the lines of a pull request's diff."""

from trunkline_shared.testing.github.access import (
    at_least,
    repository_of,
    require_read,
    require_write,
)
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conversation import ReviewComment
from trunkline_shared.testing.github.payloads.conversations import review_comment
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.bodies import body_of
from trunkline_shared.testing.github.routes.repositories import REPOSITORY

ONE = REPOSITORY + "/pulls/comments/{comment_id}"


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
    comment.body = body_of(call, "PullRequestReviewComment")
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
    Route(method="GET", path=ONE, handle=get_comment),
    Route(method="PATCH", path=ONE, handle=update_comment),
    Route(method="DELETE", path=ONE, handle=delete_comment),
)
