"""Answers in the process: bounded in bytes, the least recently used goes first."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from trunkline_router.cache.stored import Stored
from trunkline_shared.clock import Clock

_OVERHEAD = 1024


@dataclass(slots=True, kw_only=True)
class ProcessTier:
    """Answers by key; `most` is bytes, and may change."""

    clock: Clock
    most: Callable[[], int]
    used: int = 0
    _kept: "OrderedDict[str, tuple[Stored, float]]" = field(default_factory=OrderedDict)

    def get(self, key: str) -> Stored | None:
        """Return an answer that says its age."""
        found = self.found(key)
        return None if found is None else found[0]._replace(age_s=found[1])

    def found(self, key: str) -> tuple[Stored, float] | None:
        """Return an answer, and its age in seconds."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        stored, made_at = kept
        age_s = self.clock.monotonic() - made_at
        if age_s >= stored.life_s:
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return stored, age_s

    def put(self, key: str, stored: Stored) -> None:
        """Keep an answer, unless it is larger than a quarter of all there is room for."""
        self._drop(key)
        if stored.size > self.most() // 4:
            return
        self._kept[key] = (stored, self.clock.monotonic() - stored.age_s)
        self.used += stored.size + _OVERHEAD
        self.fit()

    def fit(self) -> None:
        """Let go of what there is no room for any more."""
        most = self.most()
        while self.used > most:
            self._drop(next(iter(self._kept)))

    def __len__(self) -> int:
        return len(self._kept)

    def _drop(self, key: str) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self.used -= kept[0].size + _OVERHEAD
