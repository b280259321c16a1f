"""Records that Redis keeps for the whole mesh, each change of one by a script."""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TypeVar

from redis.commands.core import AsyncScript

from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.record_failures import held_elsewhere, hold_lost
from trunkline_shared.store.record_port import LEASE_S
from trunkline_shared.store.redis_asking import RedisAsking
from trunkline_shared.store.redis_client import RedisClient

T = TypeVar("T")

PREFIX = "trunkline:1:records:"
HOLDS = "trunkline:1:record-holds:"
POLL_S = 0.05


def hold_of(key: str) -> str:
    """Return where a record's hold is: in a Cluster, on the node that has the record."""
    return f"{HOLDS}{{{PREFIX}{key}}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordScripts:
    """What Redis does at one go."""

    hold: AsyncScript
    write: AsyncScript
    release: AsyncScript

    @classmethod
    def of(cls, client: RedisClient) -> "RecordScripts":
        """Return the scripts; nothing is asked of Redis yet."""
        folder = files("trunkline_shared.store")
        text: Mapping[str, str] = {
            name: folder.joinpath(f"{name}_record.lua").read_text(encoding="utf-8")
            for name in ("hold", "write", "release")
        }
        return cls(**{name: client.register_script(script) for name, script in text.items()})


@dataclass(slots=True, kw_only=True)
class _Held:
    """A record under a lease of our own name."""

    records: "RedisRecords"
    key: str
    owner: str = field(default_factory=lambda: secrets.token_hex(16))

    async def read(self) -> bytes | None:
        return await self.records.read(self.key)

    async def write(self, value: bytes) -> None:
        keys = [hold_of(self.key), PREFIX + self.key]
        args: list[str | bytes] = [self.owner, value]
        # What a holder has to write may be lost for ever: it is tried, whatever is known of Redis.
        if not await self.records.asking.ask(
            lambda: self.records.scripts.write(keys, args), always=True
        ):
            raise hold_lost()


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisRecords:
    """Records as the port says; the hold of a holder who dies ends with its lease.

    A Redis that fails over to a copy may forget a hold: then two may think that they have it, and
    the later write is refused to the one whose name is gone.
    """

    client: RedisClient
    scripts: RecordScripts
    asking: RedisAsking
    clock: Clock

    @asynccontextmanager
    async def held(
        self, key: str, *, wait_s: float, lease_s: float = LEASE_S
    ) -> AsyncIterator[_Held]:
        """Hold a record for the block. Raises Overloaded or UpstreamUnavailable."""
        held = _Held(records=self, key=key)
        try:
            await self._take(held, wait_s, lease_s)
            yield held
        finally:
            await self._release(held)

    async def read(self, key: str) -> bytes | None:
        """Return what was last written, or None. Raises UpstreamUnavailable."""
        found = await self.asking.ask(lambda: self.client.get(PREFIX + key))
        return found.encode() if isinstance(found, str) else found

    async def _take(self, held: _Held, wait_s: float, lease_s: float) -> None:
        until = self.clock.monotonic() + wait_s
        keys, args = [hold_of(held.key)], [held.owner, str(round(lease_s * 1000))]
        while not await self.asking.ask(lambda: self.scripts.hold(keys, args)):
            left = until - self.clock.monotonic()
            if left <= 0:
                raise held_elsewhere(wait_s)
            await self.clock.sleep(min(POLL_S, left))

    async def _release(self, held: _Held) -> None:
        """End the hold, also one of which it is not known whether it was taken."""
        # A Redis that cannot be told now ends the hold by itself.
        with suppress(UpstreamUnavailable):
            await self.asking.ask(lambda: self.scripts.release([hold_of(held.key)], [held.owner]))
        held.owner = ""
