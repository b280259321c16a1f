"""What the catalogue knows of one server at this moment."""

import asyncio
from dataclasses import dataclass, field

from trunkline_router.catalogue.directory import Listing
from trunkline_router.catalogue.pins import Review

_QUICK_S = 0.5


@dataclass(slots=True, kw_only=True)
class Known:
    """One server's listing as it was `answered`, and the `listing` that is shown of it.

    `sought` is set once it is listed or past its budget, `loaded` whenever a question has been
    answered or has failed. `asked` is when the question under way was asked, in monotonic
    seconds.
    """

    sought: asyncio.Event = field(default_factory=asyncio.Event)
    loaded: asyncio.Event = field(default_factory=asyncio.Event)
    answered: Listing | None = None
    listing: Listing | None = None
    review: Review = field(default_factory=Review)
    warnings: tuple[str, ...] = ()
    asked: float | None = None
    _was_asked: bool = False
    _away_since: float | None = None

    def back(self) -> None:
        """Note that the server has answered."""
        self._was_asked = True
        self._away_since = None
        self.sought.set()

    @property
    def settled(self) -> bool:
        """Whether it is listed, remembered, or past its budget."""
        return self.sought.is_set() or self.listing is not None

    def away_for(self, now: float) -> float:
        """Note that the server has not answered; return for how long it has not, in seconds."""
        self._was_asked = True
        if self._away_since is None:
            self._away_since = now
        return now - self._away_since

    def forget(self) -> None:
        """Show nothing of it any longer."""
        self.answered = self.listing = None

    def is_missing(self, *, available: bool) -> bool:
        """Say whether what is shown may be out of date; what is remembered is given a chance."""
        return self.listing is None or (self._was_asked and not available)

    def is_slow(self, now: float) -> bool:
        """Say whether nobody should wait for its next answer."""
        waiting = self.asked is not None and now - self.asked > _QUICK_S
        return waiting or self._away_since is not None
