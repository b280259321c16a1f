"""Values with an end in Redis."""

from dataclasses import dataclass

from redis.asyncio import Redis

from trunkline_shared.store.redis_asking import RedisAsking

PREFIX = "trunkline:1:kept:"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisKept:
    """Values as the port says, for the whole mesh."""

    client: Redis
    asking: RedisAsking

    async def get(self, key: str) -> bytes | None:
        found = await self.asking.ask(lambda: self.client.get(PREFIX + key))
        return found.encode() if isinstance(found, str) else found

    async def put(self, key: str, value: bytes, *, ttl_s: float) -> None:
        await self.asking.ask(lambda: self.client.set(PREFIX + key, value, px=_ms(ttl_s)))

    async def claim(self, key: str, *, ttl_s: float) -> bool:
        set_now = await self.asking.ask(
            lambda: self.client.set(PREFIX + key, b"1", px=_ms(ttl_s), nx=True)
        )
        return bool(set_now)

    async def drop(self, key: str) -> None:
        await self.asking.ask(lambda: self.client.delete(PREFIX + key))


def _ms(seconds: float) -> int:
    return max(round(seconds * 1000), 1)
