"""From issues as GitHub sent them to what agents read."""

from trunkline_issues.issue_models import IssueEntry
from trunkline_issues.sent_issues import SentIssue
from trunkline_shared import trimming
from trunkline_shared.untrusted import sanitize


def entry(issue: SentIssue) -> IssueEntry:
    """Return an issue as an entry of a list."""
    return IssueEntry(
        number=issue.number,
        title=sanitize(issue.title),
        labels=labels_of(issue),
        state=issue.state,
        url=issue.html_url,
        author=author_of(issue),
        assignees=assignees_of(issue),
        created_at=issue.created_at,
        updated_at=issue.updated_at,
        comments_count=issue.comments,
        state_reason=issue.state_reason,
        type=type_of(issue),
        milestone=milestone_of(issue),
        is_pull_request=issue.is_pull,
    )


def labels_of(issue: SentIssue) -> list[str]:
    """Return the names of an issue's labels."""
    return [sanitize(name) for name in issue.label_names]


def assignees_of(issue: SentIssue) -> list[str]:
    """Return the logins of those whom it is assigned to."""
    return [user.login for user in issue.assignees]


def author_of(issue: SentIssue) -> str | None:
    """Return the login of its author; None when the account was deleted."""
    return None if issue.user is None else issue.user.login


def milestone_of(issue: SentIssue) -> str | None:
    """Return the title of its milestone."""
    return None if issue.milestone is None else sanitize(issue.milestone.title)


def type_of(issue: SentIssue) -> str | None:
    """Return the name of its type."""
    return None if issue.type is None else sanitize(issue.type.name)


def cut(text: str, most: int) -> tuple[str, bool]:
    """Return the text without what cannot be seen, in at most so many characters; whether cut.

    What the cut leaves of a composed character is dropped with it.
    """
    whole = sanitize(text)
    if len(whole) <= most:
        return whole, False
    kept = sanitize(whole[:most])
    trimming.cut(whole, kept)
    return kept, True
