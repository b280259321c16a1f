"""Token buckets that Redis keeps for the whole mesh, and this process while Redis is away."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from redis.commands.core import AsyncScript

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.bucket_port import Bucket, Empty
from trunkline_shared.store.memory_buckets import MemoryBuckets
from trunkline_shared.store.redis_asking import RedisAsking

# A Cluster keeps what is asked about together on one node only where the braces say the same.
PREFIX = "trunkline:1:{buckets}:"
SCRIPT = files("trunkline_shared.store").joinpath("take.lua").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisBuckets:
    """Buckets as the port says: one script, one round trip.

    Without Redis each process counts for itself, from full buckets on.
    """

    script: AsyncScript
    asking: RedisAsking
    memory: MemoryBuckets

    async def take(self, wanted: Sequence[Bucket]) -> Empty | None:
        keys = [PREFIX + bucket.key for bucket in wanted]
        terms = [term for bucket in wanted for term in (bucket.size, bucket.per_s)]
        try:
            number, wait = await self.asking.ask(lambda: self.script(keys=keys, args=terms))
        except UpstreamUnavailable:
            return await self.memory.take(wanted)
        if not number:
            return None
        return Empty(key=wanted[number - 1].key, wait_s=wait / 1_000_000)
