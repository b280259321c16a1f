"""Finding a comment of an issue again: by its marker, or by its text after a doubtful write."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import Account, IssueComment
from trunkline_shared.github.markers import Marker, marker_of
from trunkline_shared.github.repository import Repository

Wanted = Callable[[IssueComment], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The comments of one issue or pull request."""

    repository: Repository
    number: int

    @property
    def slug(self) -> str:
        return self.repository.slug.lower()


def bears(marker: Marker, author: str | None) -> Wanted:
    """Match comments with the marker, written by `author` unless that is None.

    How many parts there were is no matter: the same text may have been cut otherwise before.
    """

    def matches(comment: IssueComment) -> bool:
        found = marker_of(comment.body)
        same = found is not None and (found.text, found.part) == (marker.text, marker.part)
        return same and is_by(comment.user, author)

    return matches


def says(body: str, author: str) -> Wanted:
    """Match comments of `author` with this very text."""
    return lambda comment: same_text(comment.body, body) and is_by(comment.user, author)


def same_text(one: str, other: str) -> bool:
    """Say whether two bodies differ in nothing but their line ends."""
    return _lines(one) == _lines(other)


def _lines(body: str) -> str:
    return body.replace("\r\n", "\n").rstrip("\n")


def is_by(user: Account | None, author: str | None) -> bool:
    """Say whether `user` (None: a deleted account) is `author`; anybody is when that is None."""
    if author is None:
        return True
    return user is not None and user.login.lower() == author.lower()


async def first(
    github: GitHub, where: Conversation, wanted: Wanted, *, since: float | None = None
) -> IssueComment | None:
    """Return the oldest comment that is wanted, or None.

    `since`, in seconds since the epoch, leaves out those not touched after it.
    """
    moment = None if since is None else datetime.fromtimestamp(since, UTC)
    listed = comments.list_issue_comments(where.repository, where.number, since=moment)
    async for comment in github.each(listed):
        if wanted(comment):
            return comment
    return None
