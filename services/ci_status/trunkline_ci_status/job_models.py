"""What the job tools return."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True)


class FailedStep(_Value):
    """A step that made its job fail."""

    name: str
    number: int


class Matrix(_Value):
    """What a matrix put into a job's name: `build (ubuntu, 3.12)`; no values without one."""

    job: str
    values: tuple[str, ...] = ()


class Job(_Value):
    """A job of one attempt; times are UTC, `duration_s` is null while it has not ended."""

    id: int
    name: str
    status: str
    conclusion: str | None
    html_url: str | None
    failed_steps: tuple[FailedStep, ...]
    started_at: datetime | None
    completed_at: datetime | None
    duration_s: float | None
    runner_name: str | None
    labels: tuple[str, ...]
    run_attempt: int
    matrix: Matrix


class JobCounts(_Value):
    """The jobs of the attempt; `total` is the sum of the others."""

    total: int
    passed: int
    failed: int
    pending: int
    cancelled: int
    skipped: int
    neutral: int
    action_required: int
    other: int


class Run(_Value):
    """The workflow run, in the state of the attempt that is shown."""

    id: int
    name: str | None
    path: str | None
    status: str | None
    conclusion: str | None
    event: str | None
    html_url: str | None
    head_sha: str
    head_branch: str | None
    run_number: int | None
    run_attempt: int
    created_at: datetime | None
    run_started_at: datetime | None
    updated_at: datetime | None


class RunDetails(_Value):
    """`selected` counts the jobs that match; `truncated` says that `jobs` lacks some of them."""

    run: Run
    counts: JobCounts
    selected: int
    returned: int
    truncated: bool
    jobs: tuple[Job, ...] = Field(description="failed ones first when truncated")
