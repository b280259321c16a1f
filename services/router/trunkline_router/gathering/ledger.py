"""What the workers of one place have counted, the dead among them: totals never go back."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from trunkline_router.gathering.readings import together
from trunkline_router.gathering.written_readings import counted, read, written
from trunkline_router.measures.instrument import Instrument, Reading

log = logging.getLogger(__name__)


class Ledger:
    """Adds to a worker's readings what its predecessors had shown, and keeps what it shows itself.

    What is shown is written down before anybody sees it, so that it is never taken back; where it
    cannot be, it is shown all the same.
    """

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = folder
        self._number = number
        self._inherited = self._kept(number)
        self._failing = False

    def shown(self, own: Sequence[Reading]) -> Sequence[Reading]:
        """Return a worker's readings as others are to see them; blocks."""
        before = () if self._inherited is None else read(self._inherited, _instruments(own))
        now = together([own, before])
        try:
            self._keep(written(counted(now)))
        except OSError as error:
            if not self._failing:
                self._failing = True
                log.warning(
                    "counts cannot be kept in %s (%s): should this worker die, totals go back",
                    self._folder,
                    error.strerror,
                )
        else:
            self._failing = False
        return now

    def of_silent(self, number: int, own: Sequence[Reading]) -> Sequence[Reading]:
        """Return what one that does not answer has shown last; blocks."""
        kept = self._kept(number)
        return () if kept is None else read(kept, _instruments(own))

    def _keep(self, shown: bytes) -> None:
        beside = self._folder / f"{self._number}.new"
        beside.write_bytes(shown)
        beside.replace(self._path(self._number))

    def _kept(self, number: int) -> bytes | None:
        try:
            return self._path(number).read_bytes()
        except FileNotFoundError:
            return None

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.json"


def _instruments(readings: Sequence[Reading]) -> Mapping[str, Instrument]:
    return {reading.instrument.name: reading.instrument for reading in readings}
