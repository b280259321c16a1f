"""Threads of review comments, which only GitHub's GraphQL knows: reading and resolving them.

https://docs.github.com/graphql/reference/objects#pullrequestreviewthread
"""

from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from trunkline_shared.exchange import Endpoint
from trunkline_shared.github import graphql
from trunkline_shared.github.repository import Repository

_THREAD = "id isResolved pullRequest { number repository { nameWithOwner } }"
_NODE = (
    "query($id: ID!) { node(id: $id) { __typename ... on PullRequestReviewThread { "
    f"{_THREAD} }} }} }}"
)
_THREADS = (
    "query($owner: String!, $repo: String!, $number: Int!, $after: String) { "
    "repository(owner: $owner, name: $repo) { pullRequest(number: $number) { "
    "reviewThreads(first: 100, after: $after) { "
    f"nodes {{ {_THREAD} comments(first: 50) {{ nodes {{ id }} }} }} "
    "pageInfo { hasNextPage endCursor } } } } }"
)
_CHANGE = "mutation($id: ID!) { %s(input: {threadId: $id}) { thread { %s } } }"


class _Told(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


def present(nodes: object) -> object:
    """Leave out the nodes that are null: those that failed, or are not to be seen."""
    return [node for node in nodes if node] if isinstance(nodes, list) else nodes


class _Home(_Told):
    full_name: str = Field(alias="nameWithOwner")


class _Pull(_Told):
    number: int
    repository: _Home


class _Comment(_Told):
    id: str


class _Comments(_Told):
    nodes: Annotated[tuple[_Comment, ...], BeforeValidator(present)] = ()


class Thread(_Told):
    """A thread, the pull request that it is in, and the node ids of its first comments."""

    id: str
    is_resolved: bool = Field(alias="isResolved")
    pull: _Pull = Field(alias="pullRequest")
    comments: _Comments = _Comments()

    @property
    def number(self) -> int:
        return self.pull.number

    @property
    def repository(self) -> str:
        """The repository that it is in, as `owner/name`."""
        return self.pull.repository.full_name

    def holds(self, node_ids: frozenset[str]) -> bool:
        """Say whether one of its first comments has one of these node ids."""
        return any(comment.id in node_ids for comment in self.comments.nodes)


def _thread_or_none(node: object) -> object:
    """Leave out what has an id and is no thread."""
    return node if isinstance(node, dict) and "isResolved" in node else None


class Named(_Told):
    """The thread with a node id; None when there is none, or the id is of something else."""

    node: Annotated[Thread | None, BeforeValidator(_thread_or_none)] = None


class _PageInfo(_Told):
    has_next_page: bool = Field(alias="hasNextPage")
    end_cursor: str | None = Field(default=None, alias="endCursor")


class Threads(_Told):
    """A page of a pull request's threads."""

    nodes: Annotated[tuple[Thread, ...], BeforeValidator(present)] = ()
    page_info: _PageInfo = Field(alias="pageInfo")

    @property
    def next_cursor(self) -> str | None:
        return self.page_info.end_cursor if self.page_info.has_next_page else None


class _PullThreads(_Told):
    threads: Threads = Field(alias="reviewThreads")


class _OfRepository(_Told):
    pull: _PullThreads | None = Field(default=None, alias="pullRequest")


class Listed(_Told):
    """The answer to a question for threads; `threads` is None when the pull request is not seen."""

    repository: _OfRepository | None = None

    @property
    def threads(self) -> Threads | None:
        pull = self.repository.pull if self.repository is not None else None
        return pull.threads if pull is not None else None


class _Change(_Told):
    thread: Thread


class Changed(_Told):
    """A thread after it was resolved or opened again."""

    changed: _Change = Field(
        validation_alias=AliasChoices("resolveReviewThread", "unresolveReviewThread")
    )

    @property
    def thread(self) -> Thread:
        return self.changed.thread


def get_thread(node_id: str) -> Endpoint[Named]:
    """Read the thread with a node id."""
    return graphql.query(_NODE, {"id": node_id}, Named)


def list_threads(repository: Repository, number: int, after: str | None = None) -> Endpoint[Listed]:
    """List a hundred threads of a pull request; `after` is the cursor of the page before."""
    variables = {
        "owner": repository.owner,
        "repo": repository.name,
        "number": number,
        "after": after,
    }
    return graphql.query(_THREADS, variables, Listed)


def set_resolved(node_id: str, *, resolved: bool) -> Endpoint[Changed]:
    """Resolve a thread, or open it again; doing so twice changes nothing more."""
    name = "resolveReviewThread" if resolved else "unresolveReviewThread"
    return graphql.mutation(_CHANGE % (name, _THREAD), {"id": node_id}, Changed, repeatable=True)
