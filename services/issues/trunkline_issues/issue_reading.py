"""Reading one issue, with its newest comments."""

from collections.abc import Sequence

from trunkline_issues.issue_endpoints import get_issue
from trunkline_issues.issue_models import Issue, IssueComment
from trunkline_issues.issue_shapes import (
    assignees_of,
    author_of,
    cut,
    labels_of,
    milestone_of,
    type_of,
)
from trunkline_issues.sent_issues import SentIssue
from trunkline_shared.exchange import Response
from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import IssueComment as SentComment
from trunkline_shared.github.repository import Repository
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.answered import source_of, with_response


async def read_issue(
    github: GitHub, repository: Repository, number: int, *, include_comments: int, max_body: int
) -> Issue:
    """Return an issue or pull request; a transferred one from where it is now.

    Raises BlockedByPolicy when that is a repository that the mesh may not touch.
    """
    issue, response = await github.fetch(with_response(get_issue(repository, number)))
    if response.moved_to is not None:
        repository = github.repositories.choose(*issue.home)
    newest = await _newest(github, repository, issue, include_comments)
    return _issue(issue, newest, response, max_body)


async def _newest(
    github: GitHub, repository: Repository, issue: SentIssue, most: int
) -> Sequence[SentComment]:
    """Return the newest comments, oldest first: they are on the last pages of GitHub's list."""
    if not most or not issue.comments:
        return ()
    last = -(-issue.comments // comments.PER_PAGE)
    endpoint = comments.list_issue_comments(repository, issue.number, page_number=last)
    # Comments that were added since the count was read may have begun a page of their own.
    found = list((await github.collect(endpoint, limit=2 * comments.PER_PAGE)).items)
    if len(found) < most and last > 1:
        before = comments.list_issue_comments(repository, issue.number, page_number=last - 1)
        found = [*(await github.fetch(before)).items, *found]
    return found[-most:]


def _issue(
    issue: SentIssue, newest: Sequence[SentComment], response: Response, max_body: int
) -> Issue:
    body, truncated = cut(issue.body, max_body)
    return Issue(
        number=issue.number,
        title=sanitize(issue.title),
        body=body,
        body_truncated=truncated,
        url=issue.html_url,
        state=issue.state,
        state_reason=issue.state_reason,
        labels=labels_of(issue),
        assignees=assignees_of(issue),
        author=author_of(issue),
        comments_count=issue.comments,
        created_at=issue.created_at,
        updated_at=issue.updated_at,
        closed_at=issue.closed_at,
        is_pull_request=issue.is_pull,
        milestone=milestone_of(issue),
        type=type_of(issue),
        locked=issue.locked,
        comments=[_comment(one, max_body) for one in newest],
        moved_to=issue.html_url if response.moved_to is not None else None,
        source=source_of(response),
    )


def _comment(comment: SentComment, max_body: int) -> IssueComment:
    return IssueComment(
        id=comment.id,
        author=None if comment.user is None else comment.user.login,
        body=cut(comment.body, max_body)[0],
        created_at=comment.created_at,
        updated_at=comment.updated_at,
        url=comment.html_url,
    )
