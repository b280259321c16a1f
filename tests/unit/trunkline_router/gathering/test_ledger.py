"""What is kept of a worker's counts for whoever comes after it."""

import logging
from pathlib import Path

import pytest

from trunkline_router.gathering.ledger import Ledger
from trunkline_router.measures.instrument import Instrument, Kind, Number, Reading

CALLS = Instrument(name="calls", kind=Kind.COUNTER, description="Calls.")


def calls(many: float) -> list[Reading]:
    return [Reading(CALLS, [Number((), many)])]


def test_a_successor_goes_on_from_what_was_shown(tmp_path: Path) -> None:
    """And so does whoever tells of one that is silent."""
    assert Ledger(tmp_path, 0).shown(calls(3)) == calls(3)
    assert Ledger(tmp_path, 0).shown(calls(2)) == calls(5)
    assert Ledger(tmp_path, 1).of_silent(0, calls(9)) == calls(5)


def test_metrics_are_shown_where_they_cannot_be_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk is when somebody looks at them; the log says once what may come of it."""
    ledger = Ledger(tmp_path / "gone", 0)
    with caplog.at_level(logging.WARNING):
        assert [ledger.shown(calls(many)) for many in (1, 2)] == [calls(1), calls(2)]
    (line,) = caplog.messages
    assert "go back" in line
