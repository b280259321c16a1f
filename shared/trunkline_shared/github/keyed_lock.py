"""One at a time per key, in this process; and what the last one of a key made."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from cachetools import LRUCache

from trunkline_shared.vendor.callers_own import audience

Key = tuple[str, int, str]
_Apart = tuple[str, Key]

_REMEMBERED = 1_000


def _memory() -> LRUCache[_Apart, int]:
    return LRUCache(_REMEMBERED)


@dataclass(frozen=True, slots=True)
class KeyedWrites:
    """Serialises the writes of a key, and remembers the id of what they made.

    The memory bridges the moment in which a list of the vendor's does not yet show what was
    just made. A key is (repository, number, marker), for each credential apart: what one account
    has made is not another's to change.
    """

    _locks: dict[_Apart, tuple[asyncio.Lock, list[None]]] = field(default_factory=dict)
    _ids: LRUCache[_Apart, int] = field(default_factory=_memory)

    @asynccontextmanager
    async def alone(self, key: Key) -> AsyncIterator[None]:
        """Hold the key for the block; a lock that nobody wants is forgotten."""
        apart = _apart(key)
        lock, users = self._locks.setdefault(apart, (asyncio.Lock(), []))
        users.append(None)
        try:
            async with lock:
                yield
        finally:
            users.pop()
            if not users:
                self._locks.pop(apart, None)

    def remember(self, key: Key, made_id: int) -> None:
        self._ids[_apart(key)] = made_id

    def recall(self, key: Key) -> int | None:
        return self._ids.get(_apart(key))

    def forget(self, key: Key) -> None:
        self._ids.pop(_apart(key), None)


def _apart(key: Key) -> _Apart:
    return audience("github"), key
