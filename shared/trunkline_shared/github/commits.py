"""Endpoints of commits: one, and those of a pull request.

https://docs.github.com/rest/commits/commits · https://docs.github.com/rest/pulls/pulls
"""

from datetime import datetime

from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.comment_models import Sent
from trunkline_shared.github.reading import one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

MOST_OF_PULL = 250
"""Where GitHub's list of a pull request's commits ends."""

_ONE = "/repos/{owner}/{repo}/commits/{ref}"
_OF_PULL = "/repos/{owner}/{repo}/pulls/{number}/commits"


class Signature(Sent):
    """Who made something of a commit, and when."""

    date: datetime | None = None


class GitCommit(Sent):
    """The commit as git knows it."""

    committer: Signature | None = None


class Commit(Sent):
    """A commit; what it changes is not read."""

    sha: str
    commit: GitCommit = GitCommit()

    @property
    def committed_at(self) -> datetime | None:
        return self.commit.committer.date if self.commit.committer is not None else None


_read_commit = one(Commit)
_read_commits = page(Commit)


def get_commit(repository: Repository, ref: str) -> Endpoint[Commit]:
    """Read the commit that a SHA, branch or tag names.

    Raises InvalidInput for a reference that names none. One file per page: they are not read.
    """
    request = Request(
        method="GET",
        path=path(_ONE, repository, ref=ref),
        query=(("per_page", "1"),),
        template=_ONE,
    )
    return Endpoint(request=request, read=_read_commit, repeatable=True)


def list_commits_of_pull(repository: Repository, number: int) -> Endpoint[Page[Commit]]:
    """List the commits of a pull request, oldest first; GitHub ends the list at 250."""
    request = Request(
        method="GET",
        path=path(_OF_PULL, repository, number=number),
        query=(("per_page", "100"),),
        template=_OF_PULL,
    )
    return Endpoint(request=request, read=_read_commits, repeatable=True)
