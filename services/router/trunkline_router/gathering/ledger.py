"""What the workers of one place have counted, the dead among them: totals never go back."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from trunkline_router.gathering.readings import together
from trunkline_router.gathering.written_readings import counted, read, written
from trunkline_router.measures.instrument import Instrument, Reading


class Ledger:
    """Adds to a worker's readings what its predecessors had shown, and keeps what it shows itself.

    What is shown is written down before anybody sees it, so that it is never taken back.
    """

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = folder
        self._number = number
        self._inherited = self._kept(number)

    def shown(self, own: Sequence[Reading]) -> Sequence[Reading]:
        """Return a worker's readings as others are to see them; blocks."""
        before = () if self._inherited is None else read(self._inherited, _instruments(own))
        now = together([own, before])
        beside = self._folder / f"{self._number}.new"
        beside.write_bytes(written(counted(now)))
        beside.replace(self._path(self._number))
        return now

    def of_silent(self, number: int, own: Sequence[Reading]) -> Sequence[Reading]:
        """Return what one that does not answer has shown last; blocks."""
        kept = self._kept(number)
        return () if kept is None else read(kept, _instruments(own))

    def _kept(self, number: int) -> bytes | None:
        try:
            return self._path(number).read_bytes()
        except FileNotFoundError:
            return None

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.json"


def _instruments(readings: Sequence[Reading]) -> Mapping[str, Instrument]:
    return {reading.instrument.name: reading.instrument for reading in readings}
