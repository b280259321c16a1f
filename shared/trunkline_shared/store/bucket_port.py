"""What is asked of a store: how much somebody may still do, counted over a whole mesh."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A token bucket: `size` at the most, and `per_s` more every second."""

    key: str
    size: int
    per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty:
    """Nothing was taken: the bucket under `key` has a token in `wait_s` seconds."""

    key: str
    wait_s: float


class Buckets(Protocol):
    """Token buckets under their keys, for whoever shares the store; a new one is full.

    `take` takes one token of each bucket, or none at all: then it says which of them is empty for
    longest. It never raises and never waits longer than a second.
    """

    async def take(self, wanted: Sequence[Bucket]) -> Empty | None: ...
