"""What the cache has done since the router started."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Counters:
    """Calls, unless said otherwise.

    `passed` are reads that nothing kept could answer because generations could not be had.
    `quota_saved` are a vendor's requests that hits and followers did not cost, `confirmed` those
    that it answered with a 304.
    """

    process_hits: int = 0
    shared_hits: int = 0
    coalesced: int = 0
    stale: int = 0
    misses: int = 0
    passed: int = 0
    kept: int = 0
    bumps: int = 0
    quota_saved: int = 0
    confirmed: int = 0

    @property
    def saved(self) -> int:
        """Return the calls that were answered without asking a server."""
        return self.process_hits + self.shared_hits + self.coalesced + self.stale
