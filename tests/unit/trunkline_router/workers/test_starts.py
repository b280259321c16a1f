"""When a worker is started in the place of one that has died."""

from trunkline_router.workers.orders import Lines, Word, line_of, read_line
from trunkline_router.workers.starts import Starts


def test_short_lives_are_followed_by_ever_longer_pauses() -> None:
    """At once, then half a second, twice that, half a minute at the most; a long life forgives."""
    at = 0.0
    starts = Starts(now=lambda: at)
    waits = [starts.again(0, lived_s=1) for _ in range(9)]
    assert waits == [0, 0.5, 1, 2, 4, 8, 16, 30, 30]
    assert starts.again(1, lived_s=1) == 0
    assert starts.again(0, lived_s=60) == 0
    assert starts.due() == [0, 1]
    assert starts.due() == []
    assert starts.patience() is None


def test_none_is_started_before_its_time_or_after_the_end() -> None:
    """Whoever waits is told for how long."""
    at = 0.0
    starts = Starts(now=lambda: at)
    starts.again(0, lived_s=0)
    starts.again(0, lived_s=0)
    assert starts.due() == []
    assert starts.patience() == 0.5
    at = 0.5
    assert starts.patience() == 0
    starts.end()
    assert starts.due() == []


def test_words_arrive_whole_whatever_they_say() -> None:
    """Line breaks of a message are its own; what comes in parts is put together."""
    said = [(Word.UNUSABLE, "two\nlines, ü"), (Word.READY, "")]
    raw = b"".join(line_of(*each) for each in said)
    lines = Lines()
    found = [line for byte in raw for line in lines.of(bytes([byte]))]
    assert [read_line(line) for line in found] == said
