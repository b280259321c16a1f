"""All that CI says about one commit: workflow runs, check runs and commit statuses, judged once."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVar

from trunkline_shared.clock import Clock
from trunkline_shared.errors import PermissionDenied
from trunkline_shared.exchange import Endpoint
from trunkline_shared.github.check_models import CheckRun, CommitStatus, WorkflowRun
from trunkline_shared.github.checks import list_check_runs, list_statuses
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.commits import get_commit
from trunkline_shared.github.latest_checks import Latest, latest
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.verdict import Bucket, Verdict, bucket, verdict
from trunkline_shared.github.workflow_runs import MOST_FILTERED, RunFilter, list_runs
from trunkline_shared.together import together
from trunkline_shared.vendor.page import Collected, Page

System = Literal["runs", "checks", "statuses"]
ALL_SYSTEMS: frozenset[System] = frozenset({"runs", "checks", "statuses"})
MOST_CHECKS, MOST_STATUSES = 5_000, 1_000
YOUNG_S = 60

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitCi:
    """What counts on a commit; `truncated` says that GitHub or we ended a list early."""

    head_sha: str
    latest: Latest
    statuses: tuple[CommitStatus, ...]
    truncated: bool

    def buckets(self, required: frozenset[str] | None = None) -> tuple[Bucket, ...]:
        """Return one bucket for each thing that the verdict rests on; nothing counts twice.

        A workflow run speaks for its jobs: their check runs are judged only where the run was not
        read, so that a job that may fail does not fail a run that passed. With `required` it is
        the other way round, as GitHub does it: check runs and statuses of these names are
        judged, jobs among them, and one that is missing is pending.
        """
        if required is None:
            return tuple(self._all())
        named = [(check.name, of_check(check)) for check in self.latest.checks]
        named += [(status.context, of_status(status)) for status in self.statuses]
        judged = [found for name, found in named if name in required]
        missing = required - {name for name, _ in named}
        pending: Bucket = "pending"
        return (*judged, *(pending for _ in missing))

    def _all(self) -> Iterator[Bucket]:
        yield from map(of_run, self.latest.runs)
        yield from map(of_check, self.latest.independent)
        yield from map(of_status, self.statuses)

    def verdict(self, required: frozenset[str] | None = None) -> Verdict:
        """Return what it all comes to; `none` when nothing has been said at all."""
        return verdict(self.buckets(required))


def of_run(run: WorkflowRun) -> Bucket:
    """Return the bucket of a workflow run."""
    return bucket(run.status, run.conclusion)


def of_check(check: CheckRun) -> Bucket:
    """Return the bucket of a check run."""
    return bucket(check.status, check.conclusion)


def of_status(status: CommitStatus) -> Bucket:
    """Return the bucket of a commit status."""
    return bucket(status.state, None)


async def read_commit_ci(
    github: GitHub,
    repository: Repository,
    head_sha: str,
    include: frozenset[System] = ALL_SYSTEMS,
) -> CommitCi:
    """Read every page of the systems in `include` for a commit, and leave out what is superseded.

    Runs are searched by commit: those of forks name no pull request. Raises a TrunklineError.
    """
    of_commit = RunFilter(head_sha=head_sha)

    async def read(system: System, endpoint: Endpoint[Page[T]], limit: int) -> Collected[T]:
        if system not in include:
            return Collected(items=(), truncated=False)
        return await github.collect(endpoint, limit=limit)

    async with together() as tasks:
        reading_runs = tasks.create_task(
            read("runs", list_runs(repository, of_commit), MOST_FILTERED)
        )
        reading_checks = tasks.create_task(
            read("checks", list_check_runs(repository, head_sha), MOST_CHECKS)
        )
        reading_statuses = tasks.create_task(
            read("statuses", list_statuses(repository, head_sha), MOST_STATUSES)
        )
    runs, checks = reading_runs.result(), reading_checks.result()
    statuses = reading_statuses.result()
    return CommitCi(
        head_sha=head_sha,
        latest=latest(runs.items, checks.items),
        statuses=statuses.items,
        truncated=runs.truncated or checks.truncated or statuses.truncated,
    )


async def is_young(
    github: GitHub,
    repository: Repository,
    head_sha: str,
    clock: Clock,
    opened_at: datetime | None = None,
) -> bool:
    """Whether CI may not have begun yet: commit or pull request are less than a minute old.

    Of a commit without any CI: its silence means nothing so soon. A credential that may not read
    commits leaves only the pull request's age.
    """
    try:
        committed_at = (await github.fetch(get_commit(repository, head_sha))).committed_at
    except PermissionDenied:
        committed_at = None
    moments = [moment for moment in (committed_at, opened_at) if moment is not None]
    return any(abs(clock.now() - moment.timestamp()) < YOUNG_S for moment in moments)
