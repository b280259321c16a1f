"""Records in a directory, one file each: for the processes of one machine, without Redis."""

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from trunkline_shared.clock import Clock
from trunkline_shared.store.file_lock import FileLock
from trunkline_shared.store.finished import finished
from trunkline_shared.store.record_failures import folder_unusable, held_elsewhere, hold_lost
from trunkline_shared.store.record_port import LEASE_S
from trunkline_shared.store.state_folder import StateFolder, content, replace_content

T = TypeVar("T")

POLL_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A record whose lock this process has."""

    records: "FileRecords"
    path: Path
    lock: FileLock

    async def read(self) -> bytes | None:
        return await self.records.on_disk(partial(content, self.path))

    async def write(self, value: bytes) -> None:
        if not await self.records.on_disk(partial(self._written, value)):
            raise hold_lost()

    def _written(self, value: bytes) -> bool:
        if not self.lock.is_held():
            return False
        replace_content(self.path, value)
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecords:
    """Records as the port says; a holder who dies frees his record at once."""

    folder: StateFolder
    clock: Clock

    @asynccontextmanager
    async def held(
        self,
        key: str,
        *,
        wait_s: float,
        lease_s: float = LEASE_S,  # noqa: ARG002 - the port's signature: the kernel sees deaths
    ) -> AsyncIterator[_Held]:
        """Hold a record for the block. Raises Overloaded or UpstreamUnavailable."""
        path = await self.on_disk(partial(self.folder.file, _name(key)))
        lock = FileLock(path.with_suffix(".lock"))
        try:
            await self._take(lock, wait_s)
            yield _Held(records=self, path=path, lock=lock)
        finally:
            lock.release()

    async def read(self, key: str) -> bytes | None:
        """Return what was last written, or None. Raises UpstreamUnavailable."""
        return await self.on_disk(lambda: content(self.folder.file(_name(key))))

    async def on_disk(self, work: Callable[[], T]) -> T:
        """Return what work on the directory returns. Raises UpstreamUnavailable."""
        try:
            return await finished(work)
        except (OSError, RuntimeError) as error:
            raise folder_unusable(self.folder.path, error) from None

    async def _take(self, lock: FileLock, wait_s: float) -> None:
        until = self.clock.monotonic() + wait_s
        while not await self.on_disk(lock.take):
            left = until - self.clock.monotonic()
            if left <= 0:
                raise held_elsewhere(wait_s)
            await self.clock.sleep(min(POLL_S, left))


def _name(key: str) -> str:
    """Return the name of a key's file: keys may be longer and stranger than names can be."""
    return f"{hashlib.sha256(key.encode()).hexdigest()[:40]}.record"
