"""Whether the shared store is away, told to the log once and to the callers at once."""

import logging
from dataclasses import dataclass

from trunkline_shared.clock import Clock
from trunkline_shared.secrets import redact

PAUSE_S = 5.0
_QUIET_S = 60.0
log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Outage:
    """What is known of a store that may be away; `where` is shown and holds no secret.

    After a failure nobody asks for five seconds, so that a store that hangs costs one call its
    second and not every call. A store that comes and goes is told of once a minute.
    """

    where: str
    clock: Clock
    asks_again_at: float = float("-inf")
    told_at: float = float("-inf")
    told: bool = False

    def worth_asking(self) -> bool:
        """Whether the store may have come back, or never was away."""
        return self.clock.monotonic() >= self.asks_again_at

    def failed(self, error: Exception) -> None:
        """Leave the store alone for a while."""
        now = self.clock.monotonic()
        self.asks_again_at = now + PAUSE_S
        if self.told or now < self.told_at + _QUIET_S:
            return
        self.told, self.told_at = True, now
        log.warning(
            "the store at %s is away (%s): until it is back, writes are paced by this process "
            "alone, no token is renewed that the mesh shares, and no read is answered from what "
            "was read before",
            self.where,
            redact(str(error)) or type(error).__name__,
        )

    def passed(self) -> None:
        """Note that the store has answered; it may be asked again at once."""
        self.asks_again_at = float("-inf")
        if self.told:
            self.told = False
            log.info("the store at %s is back: writes are paced over the whole mesh", self.where)
