"""Issues and labels as GitHub sends them; a pull request is an issue with `pull_request`."""

from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator

from trunkline_shared.github.comment_models import Account, Sent, Text


def _object(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


def _listed(value: object) -> object:
    return () if value is None else value


class Label(Sent):
    """A label; in an issue it may be its name only."""

    name: Text = ""
    color: Text = ""
    description: Text = ""
    default: bool = False


class Milestone(Sent):
    """The milestone that an issue is in."""

    number: int
    title: str


class IssueType(Sent):
    """The kind of issue, as its organization names it."""

    name: str


Labels = tuple[Annotated[Label, BeforeValidator(_object)], ...]


class SentIssue(Sent):
    """An issue, or a pull request as an issue; `user` is null for a deleted account."""

    id: int
    number: int
    title: str
    body: Text = ""
    state: str
    state_reason: str | None = None
    html_url: str
    repository_url: str
    user: Account | None = None
    labels: Labels = ()
    assignees: Annotated[tuple[Account, ...], BeforeValidator(_listed)] = ()
    milestone: Milestone | None = None
    type: IssueType | None = None
    comments: int = 0
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None = None
    locked: bool = False
    pull_request: dict[str, object] | None = None

    @property
    def is_pull(self) -> bool:
        """Whether the number is a pull request's."""
        return self.pull_request is not None

    @property
    def is_open(self) -> bool:
        return self.state == "open"

    @property
    def home(self) -> tuple[str, str]:
        """The owner and the name of the repository that it is in."""
        owner, _, name = self.repository_url.rstrip("/").partition("/repos/")[2].partition("/")
        return owner, name

    @property
    def label_names(self) -> tuple[str, ...]:
        return tuple(label.name for label in self.labels)


class SearchAnswer(Sent):
    """A page of hits; `incomplete_results` says that GitHub ran out of time."""

    total_count: int
    incomplete_results: bool
    items: tuple[SentIssue, ...]
