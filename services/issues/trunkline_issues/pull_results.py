"""What the tools about pull requests return."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from trunkline_issues.issue_models import Result
from trunkline_shared.listing import Entry, PageInfo, Source

State = Literal["open", "closed"]


class PullDetails(Result):
    """A pull request; a merged one is closed. `author` is null for a deleted account.

    `mergeable` is null while GitHub computes it, which says nothing about conflicts.
    """

    number: int
    title: str
    state: State
    merged: bool
    author: str | None
    base: str
    head: str
    draft: bool
    mergeable: bool | None
    created_at: datetime
    updated_at: datetime
    labels: list[str]
    body: str
    url: str
    changed_files: int
    additions: int
    deletions: int
    base_sha: str
    head_sha: str
    requested_reviewers: list[str]
    other_pull_requests: list[int] = Field(default_factory=list)


class ReviewState(Result):
    """What a reviewer said last; `author` is null for a deleted account."""

    author: str | None
    state: str


class Check(Result):
    """A check run, or a commit status under its context's name."""

    name: str
    status: str
    conclusion: str | None = None


class Said(Result):
    """What reviewers and checks say; `unavailable` names parts that could not be read, and why.

    `review_decision` is drawn from the reviews: GitHub's rules may want more of them.
    """

    reviews: list[ReviewState]
    checks: list[Check]
    review_decision: Literal["approved", "changes_requested", "review_required", "none"] | None = (
        None
    )
    truncated: bool = False
    unavailable: dict[str, str] = Field(default_factory=dict)


class PullStatus(Said):
    """Whether a pull request can be merged. `mergeable` null: GitHub has not computed it yet."""

    pr_number: int
    url: str
    state: Literal["open", "closed", "merged"]
    draft: bool
    mergeable: bool | None
    merge_state_status: str
    has_conflicts: bool
    head_sha: str
    other_pull_requests: list[int] = Field(default_factory=list)


class DetailsAndStatus(Said):
    """A pull request with what reviewers and checks say."""

    pull_request: PullDetails


class PullEntry(Entry):
    """A pull request of a list."""

    number: int = 0
    title: str = ""
    author: str | None = None
    state: State = "open"
    merged: bool = False
    draft: bool = False
    base: str = ""
    head: str = ""
    head_sha: str = ""
    labels: list[str] = Field(default_factory=list)
    url: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None


class PullRequests(Result):
    """A page of the repository's pull requests."""

    pull_requests: list[PullEntry]
    page_info: PageInfo
    has_more: bool
    source: Source


class CreatedPull(Result):
    """The pull request; `created` is false when it was there. `warnings`: what failed after."""

    pr_number: int
    url: str
    state: Literal["open", "draft"]
    title: str
    created: bool
    node_id: str
    warnings: list[str] = Field(default_factory=list)


class ReviewersRequested(Result):
    """Who is asked for a review now, teams as their slugs."""

    success: Literal[True] = True
    pr_number: int
    requested_reviewers: list[str]
    requested_teams: list[str]


class DraftSet(Result):
    """Whether the pull request is a draft; `changed` is false when it was so before."""

    success: Literal[True] = True
    pr_number: int
    draft: bool
    changed: bool
