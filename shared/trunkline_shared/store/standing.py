"""Whether kept answers may be used at the moment, since when, and why not: for `/status`."""

from dataclasses import dataclass

from trunkline_shared.clock import Clock

WHY = {
    "away": "Redis does not answer",
    "full": "Redis is full",
    "late": "Redis answers too late",
    "moved": "Redis was started anew, or another one has taken over",
    "nameless": "Redis does not say whose data it has (INFO replication)",
    "owing": "a change could not be made known to the other routers",
    "rejoin": "Redis has lost what it knew of the routers",
    "replica": "this Redis is a replica",
    "silent": "a router gives no sign",
    "unknown": "this router has not joined the others yet",
}
"""What the words mean."""


@dataclass(slots=True, kw_only=True)
class Standing:
    """How it stands; an empty `word` means that kept answers are used."""

    clock: Clock
    word: str = "unknown"
    since: float = 0.0

    def __post_init__(self) -> None:
        self.since = self.clock.now()

    def note(self, word: str) -> None:
        """Note how it stands now."""
        if word != self.word:
            self.word, self.since = word, self.clock.now()
