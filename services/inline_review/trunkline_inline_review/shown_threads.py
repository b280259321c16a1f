"""What the threads of a pull request are about, as only GitHub's GraphQL tells it.

https://docs.github.com/graphql/reference/objects#pullrequestreviewthread
"""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from trunkline_inline_review.threads import present
from trunkline_shared.exchange import Endpoint
from trunkline_shared.github import graphql
from trunkline_shared.github.repository import Repository

_QUESTION = (
    "query($owner: String!, $repo: String!, $number: Int!, $after: String) { "
    "repository(owner: $owner, name: $repo) { pullRequest(number: $number) { "
    "reviewThreads(first: 100, after: $after) { nodes { "
    "id isResolved isOutdated path line "
    "comments(first: 1) { totalCount nodes { databaseId body url createdAt author { login } } } "
    "} pageInfo { hasNextPage endCursor } } } } }"
)


class _Told(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Author(_Told):
    login: str


class FirstComment(_Told):
    """The comment that began a thread; `author` is None for a deleted account."""

    id: int | None = Field(default=None, alias="databaseId")
    body: str = ""
    url: str = ""
    created_at: datetime | None = Field(default=None, alias="createdAt")
    author: _Author | None = None


class _Comments(_Told):
    total: int = Field(default=0, alias="totalCount")
    nodes: Annotated[tuple[FirstComment, ...], BeforeValidator(present)] = ()


class ShownThread(_Told):
    """A thread with how it began; `line` is None when it is outdated, or about a whole file."""

    id: str
    is_resolved: bool = Field(alias="isResolved")
    is_outdated: bool = Field(default=False, alias="isOutdated")
    path: str = ""
    line: int | None = None
    comments: _Comments = _Comments()

    @property
    def first(self) -> FirstComment | None:
        """Its first comment, if that is still there."""
        return next(iter(self.comments.nodes), None)


class _PageInfo(_Told):
    has_next_page: bool = Field(alias="hasNextPage")
    end_cursor: str | None = Field(default=None, alias="endCursor")


class _Threads(_Told):
    nodes: Annotated[tuple[ShownThread, ...], BeforeValidator(present)] = ()
    page_info: _PageInfo = Field(alias="pageInfo")


class _Pull(_Told):
    threads: _Threads = Field(alias="reviewThreads")


class _OfRepository(_Told):
    pull: _Pull | None = Field(default=None, alias="pullRequest")


class Shown(_Told):
    """A page of a pull request's threads."""

    repository: _OfRepository | None = None

    @property
    def threads(self) -> tuple[ShownThread, ...] | None:
        """The threads; None when the pull request is not seen."""
        return self._pull.threads.nodes if self._pull else None

    @property
    def next_cursor(self) -> str | None:
        """Where the next page begins, if there is one."""
        info = self._pull.threads.page_info if self._pull else None
        return info.end_cursor if info and info.has_next_page else None

    @property
    def _pull(self) -> _Pull | None:
        return self.repository.pull if self.repository else None


def show_threads(repository: Repository, number: int, after: str | None = None) -> Endpoint[Shown]:
    """List a hundred threads of a pull request; `after` is the cursor of the page before."""
    variables = {
        "owner": repository.owner,
        "repo": repository.name,
        "number": number,
        "after": after,
    }
    return graphql.query(_QUESTION, variables, Shown)
