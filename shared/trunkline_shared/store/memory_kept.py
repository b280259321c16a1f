"""Values with an end that one process remembers."""

from dataclasses import dataclass, field
from itertools import islice

from trunkline_shared.clock import Clock

_MOST = 10_000
_SPARE = 100


@dataclass(frozen=True, slots=True)
class _Value:
    value: bytes = field(repr=False)
    until: float


@dataclass(slots=True, kw_only=True)
class MemoryKept:
    """Values as the port says, for everything in this process; ten thousand of a kind at most.

    A key's kind is what stands before its first colon: none pushes out what is of another.
    """

    clock: Clock
    _kinds: dict[str, dict[str, _Value]] = field(default_factory=dict, repr=False)

    async def get(self, key: str) -> bytes | None:
        values = self._of_kind(key)
        found = values.get(key)
        if found is None:
            return None
        if self.clock.monotonic() < found.until:
            return found.value
        del values[key]
        return None

    async def put(self, key: str, value: bytes, *, ttl_s: float) -> None:
        values = self._of_kind(key)
        values.pop(key, None)
        # A copy: orjson's own bytes hold on to a buffer of 4 kB, however little stands in it.
        values[key] = _Value(bytes(memoryview(value)), self.clock.monotonic() + ttl_s)
        if len(values) > _MOST:
            _forget(values, self.clock.monotonic())

    async def claim(self, key: str, *, ttl_s: float) -> bool:
        if await self.get(key) is not None:
            return False
        await self.put(key, b"1", ttl_s=ttl_s)
        return True

    async def drop(self, key: str) -> None:
        self._of_kind(key).pop(key, None)

    def _of_kind(self, key: str) -> dict[str, _Value]:
        kind, colon, _ = key.partition(":")
        return self._kinds.setdefault(kind if colon else "", {})


def _forget(values: dict[str, _Value], now: float) -> None:
    """Forget what is over, then what was set first: some at once, so that few puts look at all."""
    for key in [key for key, kept in values.items() if kept.until <= now]:
        del values[key]
    if len(values) > _MOST:
        for key in list(islice(values, _SPARE)):
            del values[key]
