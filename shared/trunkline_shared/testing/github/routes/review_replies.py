"""Replies to review comments."""

from trunkline_shared.testing.github.access import repository_of, require_unlocked, require_write
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.payloads.conversations import review_comment
from trunkline_shared.testing.github.routes.bodies import body_of
from trunkline_shared.testing.github.routes.pulls import ONE, pull_of
from trunkline_shared.testing.github.threads import reply

REPLIES = ONE + "/comments/{comment_id}/replies"


def create_reply(call: Call) -> Answer:
    """Reply to the head of a thread; a reply takes no reply."""
    home = repository_of(call)
    token = require_write(call, home, ("pull_requests",))
    issue, _ = pull_of(call, home)
    wanted = int(call.path["comment_id"])
    head = next((one for one in issue.review_comments if one.id == wanted), None)
    if head is None or head.in_reply_to_id is not None:
        raise Refusal(404, "Not Found")
    require_unlocked(call, home, issue)
    if issue.pending_of(token.user) is not None:
        raise has_pending()
    new = reply(head, body_of(call, "PullRequestReviewComment"), token.user)
    location = call.urls.review_comment(home, new)
    shown = review_comment(new, home, call.urls)
    return Answer(status=201, json=shown, headers={"location": location})


def has_pending() -> Refusal:
    """Return the refusal of a comment by one whose review of the pull request is pending."""
    error = {
        "resource": "PullRequestReview",
        "code": "custom",
        "field": "user_id",
        "message": "user_id can only have one pending review per pull request",
    }
    return Refusal(422, "Validation Failed", errors=[error])


ROUTES = (Route(method="POST", path=REPLIES, handle=create_reply),)
