"""Places that Redis keeps for the whole mesh, and this process while Redis is away."""

import secrets
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files

from redis.commands.core import AsyncScript

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.memory_places import MemoryPlaces
from trunkline_shared.store.place_port import Place
from trunkline_shared.store.redis_asking import RedisAsking
from trunkline_shared.store.redis_client import RedisClient

PREFIX = "trunkline:1:places:"
SCRIPT = files("trunkline_shared.store").joinpath("enter.lua").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisPlaces:
    """Places as the port says. Without Redis each process counts for itself."""

    client: RedisClient
    script: AsyncScript
    asking: RedisAsking
    memory: MemoryPlaces

    async def enter(self, key: str, most: int, *, ttl_s: float) -> Place | None:
        place = Place(key=key, id=secrets.token_hex(8))
        terms: list[str | int] = [place.id, most, round(ttl_s * 1_000_000)]
        try:
            entered = await self.asking.ask(lambda: self.script(keys=[PREFIX + key], args=terms))
        except UpstreamUnavailable:
            return await self.memory.enter(key, most, ttl_s=ttl_s)
        return place if entered else None

    async def leave(self, place: Place) -> None:
        """Leave it wherever it was taken; Redis gives up what it does not hear of."""
        await self.memory.leave(place)
        with suppress(UpstreamUnavailable):
            await self.asking.ask(lambda: self.client.zrem(PREFIX + place.key, place.id))
