"""Where things are: in the API (the stand-in itself) and on the web (github.com)."""

from dataclasses import dataclass

from trunkline_shared.testing.github.conversation import Issue, IssueComment, ReviewComment
from trunkline_shared.testing.github.people import User
from trunkline_shared.testing.github.repository import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Urls:
    """Builds the links in answers; both bases without a trailing slash."""

    api: str
    web: str = "https://github.com"

    def user(self, user: User) -> str:
        return f"{self.api}/users/{user.login}"

    def repository(self, repository: Repository) -> str:
        return f"{self.api}/repos/{repository.full_name}"

    def permanent(self, repository: Repository) -> str:
        """Return the address that outlives a rename, as redirects and `Link` headers use it."""
        return f"{self.api}/repositories/{repository.id}"

    def issue(self, repository: Repository, issue: Issue) -> str:
        return f"{self.repository(repository)}/issues/{issue.number}"

    def pull(self, repository: Repository, issue: Issue) -> str:
        return f"{self.repository(repository)}/pulls/{issue.number}"

    def issue_comment(self, repository: Repository, comment: IssueComment) -> str:
        return f"{self.repository(repository)}/issues/comments/{comment.id}"

    def review_comment(self, repository: Repository, comment: ReviewComment) -> str:
        return f"{self.repository(repository)}/pulls/comments/{comment.id}"

    def page(self, repository: Repository, issue: Issue) -> str:
        """Return the web page of an issue or a pull request."""
        kind = "issues" if issue.pull is None else "pull"
        return f"{self.web}/{repository.full_name}/{kind}/{issue.number}"
