"""How an issue is before it is written: where it was said to be, and what was meant."""

from trunkline_issues.issue_endpoints import get_issue
from trunkline_issues.sent_issues import SentIssue
from trunkline_shared.errors import InvalidInput, NotFound
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repository
from trunkline_shared.vendor.answered import with_response


async def present(github: GitHub, repository: Repository, number: int) -> SentIssue:
    """Read the issue or pull request that is about to be written.

    Raises NotFound for one that has moved: a write is never sent to another place than asked.
    """
    issue, response = await github.fetch(with_response(get_issue(repository, number)))
    if response.moved_to is not None:
        raise NotFound(
            f"{repository.slug}#{number} has moved to {issue.html_url}; nothing was written.",
            hint="Write to it where it is now.",
            details={"reason": "moved", "moved_to": issue.html_url, "number": issue.number},
        )
    return issue


def require_issue(issue: SentIssue, *, allow_pr: bool = False, instead: str = "") -> None:
    """Refuse a pull request's number. Raises InvalidInput."""
    if issue.is_pull and not allow_pr:
        raise InvalidInput(
            f"#{issue.number} is a pull request, not an issue; nothing was written.",
            hint=instead or "Pass allow_pr=true if the pull request is meant.",
            details={"reason": "is_pull_request"},
        )
