"""The logs of all that failed in a run, each bounded, none able to spoil the others."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trunkline_ci_status.job_endpoints import SentJob
from trunkline_ci_status.job_shapes import failed_steps, shaped
from trunkline_ci_status.log_excerpt import Excerpt, Wanted
from trunkline_ci_status.log_models import FailedLog, LogFailure, log_text
from trunkline_ci_status.log_reading import read_log, window_of
from trunkline_ci_status.log_window import Window
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repository
from trunkline_shared.together import together

TOTAL_BYTES = 65_536
AT_ONCE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedLogReader:
    """Reads the end of what the failed step of each job said, some jobs at a time."""

    github: GitHub
    repository: Repository
    clock: Clock
    lines: int

    async def read(self, jobs: Sequence[SentJob]) -> list[FailedLog]:
        """Return one entry per job, in their order; together at most TOTAL_BYTES of text."""
        places = asyncio.Semaphore(AT_ONCE)
        most = TOTAL_BYTES // max(1, len(jobs))

        async def one(job: SentJob) -> FailedLog:
            async with places:
                return await self._entry(job, most)

        async with together() as tasks:
            reading = [tasks.create_task(one(job)) for job in jobs]
        return [task.result() for task in reading]

    async def _entry(self, job: SentJob, max_bytes: int) -> FailedLog:
        about = shaped(job)
        entry = FailedLog(
            job_id=job.id,
            name=about.name,
            conclusion=job.conclusion,
            html_url=job.html_url,
            failed_steps=about.failed_steps,
            log=None,
            error=None,
        )
        try:
            excerpt = await self._excerpt(job, max_bytes)
        except TrunklineError as error:
            return entry.model_copy(update={"error": _told(error)})
        return entry.model_copy(update={"log": log_text(excerpt)})

    async def _excerpt(self, job: SentJob, max_bytes: int) -> Excerpt:
        wanted = Wanted(lines=self.lines, max_bytes=max_bytes, window=_failed_window(job))
        excerpt = await read_log(self.github, self.repository, job, wanted, self.clock)
        if wanted.window is None or excerpt.selected_lines:
            return excerpt
        # The clocks of a self-hosted runner and of GitHub may differ: then the whole log counts.
        whole = replace(wanted, window=None)
        return await read_log(self.github, self.repository, job, whole, self.clock)


def _failed_window(job: SentJob) -> Window | None:
    """Return when the failed steps of a job ran, from the first to the last."""
    windows = [window for step in failed_steps(job) if (window := window_of(step)) is not None]
    return replace(windows[0], until=windows[-1].until) if windows else None


def _told(error: TrunklineError) -> LogFailure:
    reason = error.details.get("reason")
    return LogFailure(
        error_code=error.code,
        message=error.message,
        reason=reason if isinstance(reason, str) else None,
        retry_after=error.retry_after,
    )
