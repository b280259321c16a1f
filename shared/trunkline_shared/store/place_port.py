"""What is asked of a store: how many may do something at the same time, over a whole mesh."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One of the places under a key, to be left in the end."""

    key: str
    id: str


class Places(Protocol):
    """So many places under a key, for whoever shares the store.

    `enter` returns None when all `most` are taken; whoever dies in one has left it after `ttl_s`
    seconds. Neither method ever raises or waits longer than a second.
    """

    async def enter(self, key: str, most: int, *, ttl_s: float) -> Place | None: ...

    async def leave(self, place: Place) -> None: ...
