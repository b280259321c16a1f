"""The loop around a mirror, and the two files that tell probes how it goes."""

import logging
from dataclasses import dataclass
from pathlib import Path

from trunkline_branch_context.sync.mirror import Mirror
from trunkline_branch_context.sync.remote import token_of
from trunkline_branch_context.sync.settings import SyncSettings
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Files beside the checkout: `alive` before each attempt, `synced` after a good one."""

    folder: Path

    def alive(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "alive").touch()

    def synced(self) -> None:
        (self.folder / "synced").touch()

    def gone(self) -> None:
        (self.folder / "synced").unlink(missing_ok=True)


@dataclass(slots=True, kw_only=True)
class Keeper:
    """Fetches for ever. While it cannot, what was fetched before stays, and one line says so."""

    mirror: Mirror
    marks: Marks
    clock: Clock
    every_s: float
    _failing: bool = False

    async def run(self) -> None:
        """Fetch until cancelled. Raises OSError when nothing can be written at all."""
        self.marks.alive()
        await self.mirror.mend()
        if not self.mirror.settings.repo_path.exists():
            self.marks.gone()
        while True:
            await self.once()
            await self.clock.sleep(self.every_s)
            self.marks.alive()

    async def once(self) -> None:
        """Make one attempt and tell of a change for better or worse."""
        try:
            sha = await self.mirror.update()
        except (TrunklineError, OSError) as error:
            self._failed(error)
            return
        self.marks.synced()
        if self._failing:
            log.info("the remote is fetched again; %s is checked out", sha)
        self._failing = False

    def _failed(self, error: TrunklineError | OSError) -> None:
        if not self._failing:
            log.warning(
                "%s could not be fetched (%s); what was fetched before stays, and it is tried "
                "again every %g s. Git's own words stand above",
                self.mirror.settings.sync_url,
                error,
                self.every_s,
            )
        self._failing = True


async def keep(settings: SyncSettings, clock: Clock) -> None:
    """Keep the configured checkout until cancelled; without one, only say so and stay alive."""
    marks = Marks(folder=settings.repo_path.parent)
    if settings.sync_url:
        mirror = Mirror(settings=settings, token=token_of(settings))
        await Keeper(mirror=mirror, marks=marks, clock=clock, every_s=settings.sync_every_s).run()
    marks.alive()
    marks.synced()
    log.warning("TRUNKLINE_SYNC_URL is not set: there is nothing to serve, and tools say so")
    while True:
        await clock.sleep(settings.sync_every_s)
        marks.alive()
