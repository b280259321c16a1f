"""Workflow runs: their attempts, jobs and steps."""

from dataclasses import dataclass, field
from datetime import datetime

from trunkline_shared.testing.github.check_runs import Annotation, CheckRun, CheckSuite
from trunkline_shared.testing.github.generated_log import GeneratedLog
from trunkline_shared.testing.github.people import User


@dataclass(slots=True, kw_only=True, eq=False)
class Step:
    """A step of a job; `conclusion` None while it runs."""

    name: str
    conclusion: str | None = "success"
    number: int = 0
    started_at: datetime | None = None
    completed_at: datetime | None = None

    @property
    def status(self) -> str:
        return "in_progress" if self.conclusion is None else "completed"


@dataclass(slots=True, kw_only=True, eq=False)
class Job:
    """A job of one attempt; `log` None is a log that is not ready, or has expired."""

    id: int
    run: "WorkflowRun"
    attempt: int
    name: str
    status: str
    conclusion: str | None
    created_at: datetime
    started_at: datetime
    completed_at: datetime | None
    steps: list[Step] = field(default_factory=list)
    labels: tuple[str, ...] = ()
    runner: str | None = None
    log: bytes | GeneratedLog | None = None
    annotations: list[Annotation] = field(default_factory=list)

    def finish(self, conclusion: str, at: datetime) -> None:
        """End the job."""
        self.status, self.conclusion, self.completed_at = "completed", conclusion, at


@dataclass(slots=True, kw_only=True, eq=False)
class Attempt:
    """One attempt of a run, with its jobs in their order."""

    number: int
    status: str
    conclusion: str | None
    started_at: datetime
    jobs: list[Job] = field(default_factory=list)
    debug: bool = False


@dataclass(slots=True, kw_only=True, eq=False)
class WorkflowRun:
    """A run of a workflow file on a commit; its state is that of its latest attempt.

    `actor` None is a deleted account; `pulls` is empty for pull requests from forks.
    """

    id: int
    suite: CheckSuite
    number: int
    workflow_id: int
    workflow: str
    event: str
    head_sha: str
    head_branch: str | None
    actor: User | None
    pulls: list[int]
    created_at: datetime
    attempts: list[Attempt]
    head_repository_deleted: bool = False
    ended_at: datetime | None = None

    @property
    def attempt(self) -> Attempt:
        """The latest attempt."""
        return self.attempts[-1]

    @property
    def status(self) -> str:
        return self.attempt.status

    @property
    def conclusion(self) -> str | None:
        return self.attempt.conclusion

    @property
    def path(self) -> str:
        return f".github/workflows/{self.workflow}"

    def set(self, status: str) -> None:
        """Give the latest attempt and its unfinished jobs a status other than completed."""
        self.attempt.status = status
        for job in self.attempt.jobs:
            if job.status != "completed":
                job.status = status

    def finish(self, conclusion: str, at: datetime) -> None:
        """End the latest attempt, and with it those of its jobs that have not ended."""
        self.attempt.status, self.attempt.conclusion = "completed", conclusion
        self.ended_at = at
        for job in self.attempt.jobs:
            if job.status != "completed":
                job.finish(conclusion, at)


def of_job(job: Job) -> CheckRun:
    """Return the check run that a job is too; it has the number of the job."""
    return CheckRun(
        id=job.id,
        suite=job.run.suite,
        name=job.name,
        status=job.status,
        conclusion=job.conclusion,
        started_at=job.started_at,
        completed_at=job.completed_at,
        annotations=job.annotations,
    )
