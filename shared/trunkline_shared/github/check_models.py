"""Workflow runs, check runs, annotations and commit statuses as GitHub sends them.

Statuses and conclusions are plain strings: the API emits values that its own enumerations lack.
"""

from datetime import datetime

from trunkline_shared.github.comment_models import Account, Sent, Text


class App(Sent):
    """The GitHub App that made a check."""

    slug: str | None = None
    name: str = ""


class Suite(Sent):
    """The check suite that a check run belongs to."""

    id: int


class Output(Sent):
    """What a check run says about itself."""

    title: str | None = None
    summary: str | None = None
    annotations_count: int = 0


class Place(Sent):
    """The repository that a branch is in."""

    full_name: str


class PullReference(Sent):
    """A pull request as runs and checks name it; lists of these are empty for forks."""

    number: int
    url: str = ""


class CheckRun(Sent):
    """A check run; `app` is null when the app was deleted. A job of Actions is one too."""

    id: int
    name: str
    head_sha: str
    status: str
    conclusion: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    html_url: str | None = None
    details_url: str | None = None
    app: App | None = None
    check_suite: Suite | None = None
    output: Output = Output()
    pull_requests: tuple[PullReference, ...] = ()

    @property
    def app_slug(self) -> str | None:
        return self.app.slug if self.app is not None else None

    @property
    def suite_id(self) -> int | None:
        return self.check_suite.id if self.check_suite is not None else None


class Annotation(Sent):
    """A remark of a check on lines of a file."""

    path: str
    start_line: int
    end_line: int
    annotation_level: str | None = None
    message: Text = ""
    title: str | None = None


class CommitStatus(Sent):
    """A state that somebody set on a commit under a context."""

    id: int
    context: str
    state: str
    description: str | None = None
    target_url: str | None = None
    created_at: datetime
    updated_at: datetime


class WorkflowRun(Sent):
    """A run of a workflow, in the state of its latest attempt.

    `actor` and `head_repository` are null when they were deleted. `started_at` falls back to the
    creation for servers that do not tell it.
    """

    id: int
    name: str | None = None
    display_title: str = ""
    path: str = ""
    workflow_id: int
    run_number: int = 0
    run_attempt: int = 1
    event: str
    status: str | None = None
    conclusion: str | None = None
    head_sha: str
    head_branch: str | None = None
    head_repository: Place | None = None
    check_suite_id: int | None = None
    actor: Account | None = None
    pull_requests: tuple[PullReference, ...] | None = None
    html_url: str
    created_at: datetime
    updated_at: datetime
    run_started_at: datetime | None = None

    @property
    def started_at(self) -> datetime:
        return self.run_started_at or self.created_at
