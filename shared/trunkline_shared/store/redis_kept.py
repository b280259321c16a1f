"""Values with an end in Redis."""

from contextlib import suppress
from dataclasses import dataclass

from redis.exceptions import OutOfMemoryError

from trunkline_shared.store.redis_asking import RedisAsking
from trunkline_shared.store.redis_client import RedisClient

PREFIX = "trunkline:1:kept:"
ANSWERS = "trunkline:1:etag:"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisKept:
    """Values as the port says, for the whole mesh."""

    client: RedisClient
    asking: RedisAsking
    prefix: str = PREFIX

    async def get(self, key: str) -> bytes | None:
        found = await self.asking.ask(lambda: self.client.get(self.prefix + key))
        return found.encode() if isinstance(found, str) else found

    async def put(self, key: str, value: bytes, *, ttl_s: float) -> None:
        async def set_it() -> None:
            # What a full Redis has no room for is not kept; that does not make it one that is away.
            with suppress(OutOfMemoryError):
                await self.client.set(self.prefix + key, value, px=_ms(ttl_s))

        await self.asking.ask(set_it)

    async def claim(self, key: str, *, ttl_s: float) -> bool:
        set_now = await self.asking.ask(
            lambda: self.client.set(self.prefix + key, b"1", px=_ms(ttl_s), nx=True)
        )
        return bool(set_now)

    async def drop(self, key: str) -> None:
        await self.asking.ask(lambda: self.client.delete(self.prefix + key))


def _ms(seconds: float) -> int:
    return max(round(seconds * 1000), 1)
