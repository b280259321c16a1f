"""Lines that match a pattern, with the lines around them."""

from dataclasses import dataclass, field

from trunkline_ci_status.log_pattern import Pattern
from trunkline_ci_status.log_ring import Batch, Line


@dataclass(slots=True, kw_only=True)
class Matches:
    """Picks the lines that match, and `context` lines before and after each, as grep does."""

    pattern: Pattern
    context: int
    count: int = 0
    _before: list[Line] = field(default_factory=list)
    _still_after: int = 0

    def pick(self, batch: Batch) -> list[Line]:
        """Return what is wanted of the next lines, after earlier ones that prove to be context."""
        hits = set(self.pattern.hits(batch.raw))
        self.count += len(hits)
        if not hits and not self._still_after:
            self._remember(batch.last(self.context))
            return []
        picked: list[Line] = []
        for at, line in enumerate(batch.lines()):
            picked += self._picked(line, hit=at in hits)
        return picked

    def _picked(self, line: Line, *, hit: bool) -> list[Line]:
        if hit:
            before, self._before, self._still_after = self._before, [], self.context
            return [*before, line]
        if self._still_after:
            self._still_after -= 1
            return [line._replace(matches=False)]
        self._remember([line])
        return []

    def _remember(self, lines: list[Line]) -> None:
        if self.context:
            late = [line._replace(matches=False) for line in lines]
            self._before = [*self._before, *late][-self.context :]
