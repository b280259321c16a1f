"""Re-running and cancelling a workflow run, at most once each."""

from dataclasses import dataclass

from trunkline_ci_status.ownership import require_own, run_as_subject
from trunkline_ci_status.run_models import Changed
from trunkline_shared.errors import Conflict, PermissionDenied
from trunkline_shared.github.check_models import WorkflowRun
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.workflow_runs import Change, change_run, get_run
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look

ENDED = "completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChange:
    """What to do to which run; `debug` switches the steps' debug logging on."""

    github: GitHub
    repository: Repository
    run_id: int
    change: Change
    debug: bool = False

    async def perform(self) -> tuple[Changed, str]:
        """Do it unless the run's state speaks against it; returns the answer and its head SHA.

        Raises a TrunklineError; after a doubtful failure the run is read before anything is sent
        again, and TIMEOUT says that it may have happened when that tells nothing.
        """
        run = await self._read()
        await require_own(self.github, self.repository, run_as_subject(run))
        reason = self._speaks_against(run)
        if reason is None:
            reason = await (self._cancel() if self.change == "cancel" else self._rerun(run))
        changed = Changed(
            accepted=reason is None,
            run_id=run.id,
            run_attempt=run.run_attempt,
            html_url=run.html_url,
            reason=reason,
        )
        return changed, run.head_sha

    async def _read(self) -> WorkflowRun:
        return await self.github.fetch(get_run(self.repository, self.run_id))

    def _speaks_against(self, run: WorkflowRun) -> str | None:
        is_rerun = self.change != "cancel"
        return "running" if is_rerun and run.status != ENDED else None

    async def _cancel(self) -> str | None:
        """Cancel it; cancelling twice does no harm, so a failure is simply repeated."""
        endpoint = change_run(self.repository, self.run_id, "cancel")
        try:
            await self.github.fetch(endpoint)
        except Conflict:
            return "already_completed"
        return None

    async def _rerun(self, before: WorkflowRun) -> str | None:
        endpoint = change_run(self.repository, self.run_id, self.change, debug=self.debug)

        async def send() -> bool:
            await self.github.fetch(with_time_to_look(endpoint))
            return True

        async def look() -> bool | None:
            return (await self._read()).run_attempt > before.run_attempt or None

        write = DoubtfulWrite(
            send=send,
            look=look,
            repeatable=False,
            how_to_look="read the run and compare its run_attempt",
        )
        try:
            await write.perform()
        except PermissionDenied:
            # GitHub refuses a run that somebody else has just started with the same 403.
            if (reason := self._speaks_against(await self._read())) is None:
                raise
            return reason
        return None
