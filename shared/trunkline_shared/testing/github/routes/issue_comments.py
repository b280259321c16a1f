"""Comments on issues and pull requests."""

from trunkline_shared.testing.github.access import (
    at_least,
    issue_of,
    repository_of,
    require_available,
    require_read,
    require_unlocked,
    require_write,
)
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conversation import IssueComment
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.conversations import issue_comment
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.bodies import body_of
from trunkline_shared.testing.github.routes.repositories import REPOSITORY
from trunkline_shared.testing.github.routes.times import since_of

LIST = REPOSITORY + "/issues/{issue_number}/comments"
ONE = REPOSITORY + "/issues/comments/{comment_id}"


def list_comments(call: Call) -> Answer:
    """Return a page of an issue's comments, oldest first; `since` looks at `updated_at`."""
    home = repository_of(call)
    require_read(call, home)
    issue = issue_of(call, home)
    everything = issue.comments[: len(issue.comments) - call.lag]
    since = since_of(call)
    if since is not None:
        everything = [one for one in everything if one.updated_at >= since]
    address = f"{call.urls.permanent(home)}/issues/{issue.number}/comments"
    shown, links = page_of(call, everything, address)
    return Answer(json=[_shown(call, one, home) for one in shown], headers=links)


def create_comment(call: Call) -> Answer:
    """Add a comment of the caller."""
    home = repository_of(call)
    token = require_write(call, home)
    issue = issue_of(call, home)
    require_unlocked(call, home, issue)
    app = token.installation.app if token.installation is not None else None
    comment = issue.add_comment(body_of(call, "IssueComment"), token.user, app=app)
    location = call.urls.issue_comment(home, comment)
    shown = _shown(call, comment, home)
    return Answer(status=201, json=shown, headers={"location": location})


def get_comment(call: Call) -> Answer:
    """Return one comment."""
    home = repository_of(call)
    require_read(call, home)
    comment = comment_of(call, home)
    shown = _shown(call, comment, home)
    return Answer(json=shown, last_modified=comment.updated_at)


def update_comment(call: Call) -> Answer:
    """Give a comment another text."""
    home, comment = _writable(call)
    comment.body = body_of(call, "IssueComment")
    comment.updated_at = comment.issue.updated_at = call.state.ledger.now()
    return Answer(json=_shown(call, comment, home))


def delete_comment(call: Call) -> Answer:
    """Remove a comment."""
    _, comment = _writable(call)
    comment.issue.comments.remove(comment)
    return Answer(status=204)


def comment_of(call: Call, home: Repository) -> IssueComment:
    """Return the comment that the path names, or refuse."""
    wanted = int(call.path["comment_id"])
    for comment in call.state.issue_comments(home):
        if comment.id == wanted:
            require_available(home, comment.issue)
            return comment
    raise Refusal(404, "Not Found")


def _shown(call: Call, comment: IssueComment, home: Repository) -> dict[str, object]:
    shown = issue_comment(comment, home, call.urls)
    if not call.state.tells_minimized:
        del shown["minimized"]
    return shown


def _writable(call: Call) -> tuple[Repository, IssueComment]:
    home = repository_of(call)
    token = require_write(call, home)
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
