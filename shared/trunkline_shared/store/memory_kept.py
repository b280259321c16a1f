"""Values with an end that one process remembers."""

from dataclasses import dataclass, field

from trunkline_shared.clock import Clock

_MOST = 10_000


@dataclass(frozen=True, slots=True)
class _Value:
    value: bytes = field(repr=False)
    until: float


@dataclass(slots=True, kw_only=True)
class MemoryKept:
    """Values as the port says, for everything in this process; ten thousand of them at most."""

    clock: Clock
    _values: dict[str, _Value] = field(default_factory=dict, repr=False)

    async def get(self, key: str) -> bytes | None:
        found = self._values.get(key)
        if found is None:
            return None
        if self.clock.monotonic() < found.until:
            return found.value
        del self._values[key]
        return None

    async def put(self, key: str, value: bytes, *, ttl_s: float) -> None:
        self._values.pop(key, None)
        # A copy: orjson's own bytes hold on to a buffer of 4 kB, however little stands in it.
        self._values[key] = _Value(bytes(memoryview(value)), self.clock.monotonic() + ttl_s)
        if len(self._values) > _MOST:
            self._forget()

    async def claim(self, key: str, *, ttl_s: float) -> bool:
        if await self.get(key) is not None:
            return False
        await self.put(key, b"1", ttl_s=ttl_s)
        return True

    async def drop(self, key: str) -> None:
        self._values.pop(key, None)

    def _forget(self) -> None:
        """Forget what is over, then what was set first."""
        now = self.clock.monotonic()
        for key in [key for key, kept in self._values.items() if kept.until <= now]:
            del self._values[key]
        while len(self._values) > _MOST:
            del self._values[next(iter(self._values))]
