"""What runs on a repository's commits: workflow runs, check runs and commit statuses."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from trunkline_shared.testing.github.check_runs import CheckRun, CheckSuite, CommitStatus
from trunkline_shared.testing.github.generated_log import GeneratedLog
from trunkline_shared.testing.github.ledger import Ledger
from trunkline_shared.testing.github.people import App, User
from trunkline_shared.testing.github.workflow_runs import (
    Attempt,
    Job,
    Step,
    WorkflowRun,
    of_job,
)

ACTIONS = "github-actions"
_OF_JOBS = frozenset({
    "success",
    "failure",
    "neutral",
    "cancelled",
    "skipped",
    "timed_out",
    "action_required",
})


@dataclass(slots=True, kw_only=True, eq=False)
class ContinuousIntegration:
    """The CI of one repository; tests seed it with the `add_` methods and may change anything.

    `script` holds what happens after each list of workflow runs: one entry per list, in order.
    `required` maps a branch to the contexts that its rules require, `protected` to those of its
    branch protection, which only administrators may read.
    """

    ledger: Ledger
    runs: dict[int, WorkflowRun] = field(default_factory=dict)
    checks: dict[int, CheckRun] = field(default_factory=dict)
    statuses: list[CommitStatus] = field(default_factory=list)
    workflows: dict[str, int] = field(default_factory=dict)
    apps: dict[str, App] = field(default_factory=dict)
    commits: dict[str, datetime] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    required: dict[str, list[str]] = field(default_factory=dict)
    protected: dict[str, list[str]] = field(default_factory=dict)
    script: list[Callable[[], object]] = field(default_factory=list)

    def add_run(  # noqa: PLR0913 - a seed names what its test is about
        self,
        head_sha: str,
        *,
        workflow: str = "ci.yml",
        status: str = "completed",
        conclusion: str | None = None,
        event: str = "pull_request",
        branch: str | None = "feature",
        actor: User | None = None,
        pulls: Sequence[int] = (),
        at: datetime | None = None,
        jobs: bool = True,
    ) -> WorkflowRun:
        """Add a run of the workflow file `workflow` on a commit.

        A finished one is a success unless `conclusion` says otherwise. With `jobs` it has one
        job, `build`, in the same state; `add_job` adds others. `pulls` is empty for forks.
        """
        moment = at or self.ledger.now()
        ended = status == "completed"
        result = (conclusion or "success") if ended else None
        run = WorkflowRun(
            id=self.ledger.next_id(),
            suite=self.add_suite(head_sha, ACTIONS),
            number=len(self.runs) + 1,
            workflow_id=self.workflows.setdefault(workflow, self.ledger.next_id()),
            workflow=workflow,
            event=event,
            head_sha=head_sha,
            head_branch=branch,
            actor=actor,
            pulls=list(pulls),
            created_at=moment,
            attempts=[Attempt(number=1, status=status, conclusion=result, started_at=moment)],
        )
        self.runs[run.id] = run
        if jobs and (result is None or result in _OF_JOBS):
            self.add_job(run, "build", status=status, conclusion=result)
        return run

    def add_job(  # noqa: PLR0913 - a seed names what its test is about
        self,
        run: WorkflowRun,
        name: str,
        *,
        status: str = "completed",
        conclusion: str | None = "success",
        steps: Sequence[Step] = (),
        labels: Sequence[str] = ("ubuntu-latest",),
        runner: str | None = "GitHub Actions 1",
        log: bytes | GeneratedLog | None = None,
        at: datetime | None = None,
    ) -> Job:
        """Add a job to the latest attempt of a run; `log` None is not ready yet, or expired."""
        moment = at or run.attempt.started_at
        ended = status == "completed"
        for number, one in enumerate(steps, start=1):
            one.number = one.number or number
        job = Job(
            id=self.ledger.next_id(),
            run=run,
            attempt=run.attempt.number,
            name=name,
            status=status,
            conclusion=conclusion if ended else None,
            steps=list(steps),
            labels=tuple(labels),
            runner=runner,
            log=log,
            created_at=moment,
            started_at=moment,
            completed_at=moment if ended else None,
        )
        run.attempt.jobs.append(job)
        return job

    def add_suite(self, head_sha: str, app: str | None) -> CheckSuite:
        """Add a check suite of the app with this slug (None: the app was deleted)."""
        self.commits.setdefault(head_sha, self.ledger.now())
        maker = None if app is None else self.app(app)
        return CheckSuite(id=self.ledger.next_id(), head_sha=head_sha, app=maker)

    def add_check(  # noqa: PLR0913 - a seed names what its test is about
        self,
        head_sha: str,
        name: str,
        *,
        app: str | None = "codecov",
        suite: CheckSuite | None = None,
        status: str = "completed",
        conclusion: str | None = "success",
        at: datetime | None = None,
        title: str | None = None,
        summary: str | None = None,
    ) -> CheckRun:
        """Add a check run of an app other than Actions, in `suite` or in a new one."""
        moment = at or self.ledger.now()
        ended = status == "completed"
        check = CheckRun(
            id=self.ledger.next_id(),
            suite=suite or self.add_suite(head_sha, app),
            name=name,
            status=status,
            conclusion=conclusion if ended else None,
            started_at=moment,
            completed_at=moment if ended else None,
            title=title,
            summary=summary,
        )
        self.checks[check.id] = check
        return check

    def add_status(
        self,
        head_sha: str,
        context: str,
        state: str,
        *,
        description: str | None = None,
        at: datetime | None = None,
    ) -> CommitStatus:
        """Set a commit status: error, failure, pending, success; a context's newest counts."""
        self.commits.setdefault(head_sha, self.ledger.now())
        status = CommitStatus(
            id=self.ledger.next_id(),
            head_sha=head_sha,
            context=context,
            state=state,
            description=description,
            at=at or self.ledger.now(),
        )
        self.statuses.append(status)
        return status

    def app(self, slug: str) -> App:
        """Return the App with this slug, made when it is not there yet."""
        if slug not in self.apps:
            owner = User(id=self.ledger.next_id(), login=slug, kind="Organization")
            app_id = self.ledger.next_id()
            self.apps[slug] = App(
                id=app_id,
                client_id=f"Iv1.{app_id:016x}",
                slug=slug,
                owner=owner,
                bot=owner,
                public_key="",
            )
        return self.apps[slug]

    def finish(self, run: WorkflowRun, conclusion: str = "success") -> None:
        """End the latest attempt of a run; its unfinished jobs end likewise."""
        run.finish(conclusion, self.ledger.now())

    def rerun(self, run: WorkflowRun, *, failed_only: bool = False) -> Attempt:
        """Begin the next attempt; with `failed_only`, jobs that passed are carried over."""
        moment = self.ledger.now()
        earlier = run.attempt.jobs
        attempt = Attempt(
            number=run.attempt.number + 1, status="queued", conclusion=None, started_at=moment
        )
        run.attempts.append(attempt)
        for job in earlier:
            kept = failed_only and job.conclusion in {"success", "skipped", "neutral"}
            self.add_job(
                run,
                job.name,
                status="completed" if kept else "queued",
                conclusion=job.conclusion,
                steps=job.steps if kept else (),
                labels=job.labels,
                runner=job.runner,
                log=job.log if kept else None,
            )
        return attempt

    def polled(self) -> None:
        """Let the next scripted thing happen."""
        if self.script:
            self.script.pop(0)()

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs of all attempts of all runs."""
        for run in self.runs.values():
            for attempt in run.attempts:
                yield from attempt.jobs

    def check_runs(self, head_sha: str) -> list[CheckRun]:
        """Return the check runs of a commit, those of Actions jobs among them, newest first."""
        of_jobs = (of_job(job) for job in self.jobs() if job.run.head_sha == head_sha)
        own = (one for one in self.checks.values() if one.suite.head_sha == head_sha)
        return sorted([*of_jobs, *own], key=lambda one: one.id, reverse=True)

    def check_run(self, check_id: int) -> CheckRun | None:
        """Return one check run; a job's has the number of the job."""
        if check_id in self.checks:
            return self.checks[check_id]
        return next((of_job(job) for job in self.jobs() if job.id == check_id), None)
