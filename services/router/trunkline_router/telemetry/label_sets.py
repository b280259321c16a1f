"""Label values and label sets that stay few, whatever is sent: what is too many is `_OTHER`."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, TypeVar

from trunkline_router.attributes import OTHER

MOST: Final = 2000
_LONGEST = 128
Cell = TypeVar("Cell")


class Few:
    """Lets the first so many distinct values through, and no long one."""

    def __init__(self, most: int, known: Iterable[str] = ()) -> None:
        self._most = most
        self._known = {"", *known}

    def __call__(self, value: object) -> str:
        """Return a value, or what stands for all that are too many."""
        text = "" if value is None else str(value)
        if text in self._known:
            return text
        if len(self._known) > self._most or len(text) > _LONGEST:
            return OTHER
        self._known.add(text)
        return text


class Closed:
    """Lets only known values through."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset({"", *known})

    def __call__(self, value: object) -> str:
        text = "" if value is None else str(value)
        return text if text in self._known else OTHER


class LabelSets(Generic[Cell]):
    """One cell for each label set; those that come after `most` of them share one."""

    def __init__(self, make: Callable[[], Cell], most: int = MOST) -> None:
        self._make = make
        self._most = most
        self._cells: dict[tuple[str, ...], Cell] = {}

    def of(self, labels: tuple[str, ...]) -> Cell:
        """Return the cell of a label set."""
        cell = self._cells.get(labels)
        if cell is not None:
            return cell
        if len(self._cells) >= self._most:
            labels = (OTHER,) * len(labels)
        return self._cells.setdefault(labels, self._make())

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], Cell]]:
        return iter(self._cells.items())
