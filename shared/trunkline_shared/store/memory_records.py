"""Records that one process remembers until it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from trunkline_shared.store.record_failures import held_elsewhere, hold_lost
from trunkline_shared.store.record_port import LEASE_S


@dataclass(slots=True)
class _Kept:
    """One record and who stands in line for it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    value: bytes | None = field(default=None, repr=False)


@dataclass(slots=True)
class _Held:
    kept: _Kept
    over: bool = False

    async def read(self) -> bytes | None:
        return self.kept.value

    async def write(self, value: bytes) -> None:
        if self.over:
            raise hold_lost()
        self.kept.value = value


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecords:
    """Records as the port says, for everything in this process; a holder here cannot die alone."""

    kept: dict[str, _Kept] = field(default_factory=dict, repr=False)

    @asynccontextmanager
    async def held(
        self,
        key: str,
        *,
        wait_s: float,
        lease_s: float = LEASE_S,  # noqa: ARG002 - the port's signature: no lease is needed here
    ) -> AsyncIterator[_Held]:
        """Hold a record for the block. Raises Overloaded."""
        kept = self.kept.setdefault(key, _Kept())
        try:
            async with asyncio.timeout(wait_s):
                await kept.lock.acquire()
        except TimeoutError:
            raise held_elsewhere(wait_s) from None
        held = _Held(kept)
        try:
            yield held
        finally:
            held.over = True
            kept.lock.release()

    async def read(self, key: str) -> bytes | None:
        """Return what was last written, or None."""
        return self.kept[key].value if key in self.kept else None
