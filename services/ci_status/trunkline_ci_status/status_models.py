"""What the status tools return."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from trunkline_shared.github.verdict import Verdict


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True)


class Summary(_Value):
    """The workflow runs that count, by bucket; `total` is the sum of the eight buckets.

    `superseded` were left out. The verdict looks at checks and statuses too.
    """

    total: int
    total_runs: int
    failed: int
    passed: int
    pending: int
    skipped: int
    cancelled: int
    neutral: int
    action_required: int
    other: int
    superseded: int
    verdict: Verdict


class Run(_Value):
    """A workflow run; status and conclusion are GitHub's own words."""

    id: int
    name: str
    status: str | None
    conclusion: str | None
    url: str
    html_url: str
    created_at: datetime
    run_attempt: int
    event: str
    workflow_id: int
    path: str
    head_branch: str | None


class Check(_Value):
    """A check run; `app` is null when it was deleted, `run_id` set for a job of Actions."""

    id: int
    name: str
    app: str | None
    status: str
    conclusion: str | None
    title: str | None
    html_url: str | None
    run_id: int | None


class Status(_Value):
    """A commit status."""

    context: str
    state: str
    description: str | None
    url: str | None


class CiStatus(_Value):
    """The state of CI at one commit.

    `required` are the names that the base branch requires, null when not asked for or unknown.
    `truncated` says that a list is not whole; `head_moved` that the pull request has had a push
    since, which this does not speak of.
    """

    head_sha: str
    pr_number: int | None
    summary: Summary
    runs: list[Run]
    checks: list[Check]
    statuses: list[Status]
    required: list[str] | None
    notes: list[str]
    truncated: bool
    head_moved: bool


class Waited(CiStatus):
    """The state at the end of a wait; `timed_out` when that came before a verdict."""

    timed_out: bool
    waited_s: float
