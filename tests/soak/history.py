"""What agents asked and were answered, and whether any of it was older than it may be. No I/O."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.soak.lagging_vendor import LONGEST_LAG_S, Applied

SLACK_S = 0.5
"""An answer may have been on its way for so long when another reader joined those who wait."""
DOUBT_S = 55.0
"""For so long, and a little more, nothing may be kept after a write in doubt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """A write that has returned to its agent, with success or not; a whole shelf has no `book`.

    Moments are monotonic seconds.
    """

    nonce: str
    shelf: int
    book: int | None
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A read: `number` is that of the last write of all when its answer was fetched.

    `shown` are the versions in it, by book; each is the number of a write.
    """

    shelf: int
    start: float
    end: float
    number: int
    shown: Mapping[int, int]
    source: str
    router: int


@dataclass(slots=True, kw_only=True)
class History:
    """Everything that was done, in no order; `faults` are the moments at which one began."""

    reads: list[Read] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    faults: list[float] = field(default_factory=list)


@dataclass(slots=True)
class _Bounds:
    """The highest number that was known to be reached at each moment."""

    moments: list[float] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def add(self, moment: float, number: int) -> None:
        """Add a bound; moments come in order."""
        self.moments.append(moment)
        self.numbers.append(max(number, self.numbers[-1] if self.numbers else 0))

    def before(self, moment: float) -> int:
        at = bisect_right(self.moments, moment)
        return self.numbers[at - 1] if at else 0


@dataclass(frozen=True, slots=True)
class _Event:
    at: float
    shelf: int
    book: int | None
    number: int


def wrong(history: History, applied: Mapping[str, Applied], *, lags: bool) -> list[str]:
    """Return what breaks the promise, one line each."""
    returned = _bounds(_returned(history, applied))
    late_s = (LONGEST_LAG_S if lags else 0.0) + SLACK_S
    found: list[str] = []
    for read in history.reads:
        for book, version in read.shown.items():
            bound = _bound(returned, read.shelf, book, read.start)
            if read.number < bound:
                found.append(f"fetched before write {bound} returned: {_line(read, book)}")
            old = _bound(returned, read.shelf, book, read.start - late_s)
            if version < old:
                found.append(f"kept though write {old} was not in it yet: {_line(read, book)}")
    return found + list(_doubtful(history, applied))


def _line(read: Read, book: int) -> str:
    return (
        f"{read.shelf}/{book} at router {read.router} from {read.source}, version "
        f"{read.shown[book]}, fetched after write {read.number}, asked at {read.start:.3f}"
    )


def _returned(history: History, applied: Mapping[str, Applied]) -> Iterator[_Event]:
    """Yield the writes that had taken effect when they returned."""
    for write in history.writes:
        done = applied.get(write.nonce)
        if done is not None and done.at <= write.end:
            yield _Event(write.end, write.shelf, write.book, done.number)


def _bounds(events: Iterator[_Event]) -> dict[tuple[int, int | None], _Bounds]:
    bounds: dict[tuple[int, int | None], _Bounds] = defaultdict(_Bounds)
    for event in sorted(events, key=lambda one: one.at):
        bounds[event.shelf, event.book].add(event.at, event.number)
    return bounds


def _bound(
    bounds: Mapping[tuple[int, int | None], _Bounds], shelf: int, book: int, moment: float
) -> int:
    """Return the highest number of a write to the book, or to its whole shelf, before then."""
    found = [bounds[key] for key in ((shelf, book), (shelf, None)) if key in bounds]
    return max((one.before(moment) for one in found), default=0)


def _doubtful(history: History, applied: Mapping[str, Applied]) -> Iterator[str]:
    """Yield kept answers from before a write that took effect after it had returned.

    Its outcome was not known: nothing may have been kept meanwhile. What a store that was lost
    knew of that is lost as well, so this holds between faults only.
    """
    late: dict[tuple[int, int | None], list[tuple[Write, Applied]]] = defaultdict(list)
    for write in history.writes:
        done = applied.get(write.nonce)
        if done is not None and done.at > write.end:
            late[write.shelf, write.book].append((write, done))
    faults = sorted(history.faults)
    kept = (read for read in history.reads if read.source in {"cache", "stale"})
    for read, book in ((one, book) for one in kept for book in one.shown):
        for write, done in late.get((read.shelf, book), ()):
            if read.number < done.number and _in_doubt(write, done, read, faults):
                yield f"kept while write {done.number} was in doubt: {_line(read, book)}"


def _in_doubt(write: Write, done: Applied, read: Read, faults: Sequence[float]) -> bool:
    quiet = bisect_right(faults, write.start) == bisect_right(faults, read.start)
    return quiet and done.at < read.start < write.end + DOUBT_S
