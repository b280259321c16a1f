"""Large values in Redis that may vanish, and who of the mesh is about to make one."""

import asyncio
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files

from redis.commands.core import AsyncScript

from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.entry_port import Entry
from trunkline_shared.store.redis_asking import RedisAsking
from trunkline_shared.store.redis_client import RedisClient

PREFIX = "trunkline:1:entry:"
LEADS = "trunkline:1:lead:"
LARGEST = 8 * 1024 * 1024
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.01, 0.1
# Ends a lead as it ends a hold: if it is still its owner's.
RELEASE = files("trunkline_shared.store").joinpath("release_record.lua").read_text("utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisEntries:
    """Entries as the port says. Of what is larger than eight megabytes nothing is kept."""

    client: RedisClient
    release: AsyncScript
    asking: RedisAsking
    clock: Clock
    _leads: dict[str, str] = field(default_factory=dict)

    async def get(self, key: str) -> Entry | None:
        with suppress(UpstreamUnavailable):
            data, left_ms = await self.asking.ask(lambda: self._asked(PREFIX + key))
            if isinstance(data, bytes) and left_ms > 0:
                return Entry(data, left_ms / 1000)
        return None

    async def put(self, key: str, data: bytes, *, life_s: float) -> None:
        if len(data) > LARGEST or life_s <= 0:
            return
        with suppress(UpstreamUnavailable):
            await self.asking.ask(lambda: self.client.set(PREFIX + key, data, px=_ms(life_s)))

    async def lead(self, key: str, *, for_s: float) -> bool:
        owner = secrets.token_hex(8)
        try:
            leads = await self.asking.ask(
                lambda: self.client.set(LEADS + key, owner, px=_ms(for_s), nx=True)
            )
        except UpstreamUnavailable:
            # Redis may have noted it all the same.
            leads = True
        except asyncio.CancelledError:
            # So it may here, and nobody would do what the others then wait for.
            self._leads[key] = owner
            await self.let_go(key)
            raise
        if leads:
            self._leads[key] = owner
        return bool(leads)

    async def let_go(self, key: str) -> None:
        owner = self._leads.pop(key, None)
        if owner is not None:
            with suppress(UpstreamUnavailable):
                await self.asking.ask(lambda: self.release([LEADS + key], [owner]))

    async def settled(self, key: str, *, within_s: float) -> None:
        """Look again and again, less and less often: nothing is missed when a message is lost."""
        until = self.clock.monotonic() + within_s
        pause_s = _FIRST_PAUSE_S
        with suppress(UpstreamUnavailable):
            while (left_s := until - self.clock.monotonic()) > 0:
                await self.clock.sleep(min(pause_s, left_s))
                if not await self.asking.ask(lambda: self.client.exists(LEADS + key)):
                    return
                pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    async def _asked(self, name: str) -> tuple[object, int]:
        pipeline = self.client.pipeline(transaction=False)
        # Nothing is awaited before both are sent together.
        _ = pipeline.get(name), pipeline.pttl(name)
        data, left_ms = await pipeline.execute()
        return data, int(left_ms)


def _ms(seconds: float) -> int:
    return max(round(seconds * 1000), 1)
