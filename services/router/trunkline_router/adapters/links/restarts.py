"""When a process that keeps ending may be started again: after 0.5, 1, 2, 4 … 30 seconds."""

from dataclasses import dataclass

from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamUnavailable

_FIRST_S = 0.5
_LONGEST_S = 30.0
_HEALTHY_S = 20.0
_WAITED_S = 2.0
"""A turn that comes so soon is waited for; a later one is told instead."""


@dataclass(slots=True, kw_only=True)
class Restarts:
    """Counts the ends of one server's processes; one that lived long enough counts as a first."""

    clock: Clock
    _failures: int = 0
    _began: float = 0.0
    _not_before: float = 0.0
    _how: str = ""

    async def turn(self, server: str) -> None:
        """Wait until a process may be started. Raises UpstreamUnavailable when that is long."""
        left_s = self._not_before - self.clock.monotonic()
        if left_s <= 0:
            return
        if left_s > _WAITED_S:
            raise UpstreamUnavailable(
                f"The process of server {server!r} keeps ending ({self._how}); it is started "
                f"again in {left_s:.0f} s.",
                retry_after=left_s,
            )
        await self.clock.sleep(left_s)

    def begun(self) -> None:
        """Note that a process has been started."""
        self._began = self.clock.monotonic()

    def ended(self, how: str) -> float:
        """Note that it has ended by itself; returns the seconds until the next may start."""
        now = self.clock.monotonic()
        if now - self._began >= _HEALTHY_S:
            self._failures = 0
        self._failures += 1
        self._how = how
        pause = min(_FIRST_S * 2.0 ** (self._failures - 1), _LONGEST_S)
        self._not_before = now + pause
        return pause
