"""Pull requests, their files and reviews as GitHub sends them."""

from datetime import datetime

from trunkline_shared.github.comment_models import Account, Sent, Text


class Home(Sent):
    """The repository that a branch of a pull request is in."""

    full_name: str


class Side(Sent):
    """The head or the base of a pull request; `repo` is null when a fork was deleted."""

    ref: str
    sha: str
    label: str | None = None
    repo: Home | None = None


class Label(Sent):
    """A label; its colour and description are not read."""

    name: str


class Team(Sent):
    """A team that was asked for a review."""

    slug: str


class PullRequest(Sent):
    """A pull request; lists of them lack what stands after `locked`.

    `mergeable` is null while GitHub computes it, which says nothing about conflicts.
    """

    id: int
    node_id: str = ""
    number: int
    title: str
    body: Text = ""
    state: str
    draft: bool = False
    user: Account | None = None
    html_url: str
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None = None
    merged_at: datetime | None = None
    head: Side
    base: Side
    labels: tuple[Label, ...] = ()
    requested_reviewers: tuple[Account, ...] = ()
    requested_teams: tuple[Team, ...] = ()
    locked: bool = False
    merged: bool = False
    mergeable: bool | None = None
    mergeable_state: str = "unknown"
    changed_files: int = 0
    additions: int = 0
    deletions: int = 0
    comments: int = 0
    review_comments: int = 0
    commits: int = 0

    @property
    def is_merged(self) -> bool:
        """Whether it is merged; lists say so by the time only."""
        return self.merged or self.merged_at is not None


class PullFile(Sent):
    """A file that a pull request changes.

    `patch` is missing for binary files, for very large ones, and where only the mode or the
    name changed. `status` is added, removed, modified, renamed, copied, changed or unchanged.
    """

    filename: str
    status: str
    additions: int = 0
    deletions: int = 0
    changes: int = 0
    patch: str | None = None
    previous_filename: str | None = None


class Review(Sent):
    """A review; `user` is null for a deleted account, `submitted_at` while it is pending."""

    id: int
    node_id: str = ""
    user: Account | None = None
    body: Text = ""
    state: str
    html_url: str = ""
    submitted_at: datetime | None = None
    commit_id: str | None = None
    author_association: str = "NONE"
