"""What supervisor and worker say to each other: a word, and a line for each."""

from collections.abc import Iterator
from enum import Enum

from trunkline_shared.departure import Pace


class Word(Enum):
    """Of a supervisor, all but the last two, which are a worker's."""

    END = "end"
    RELOAD = "reload"
    OPEN = "open"
    CLOSE = "close"
    COMPLETE = "complete"
    READY = "ready"
    UNUSABLE = "unusable"


def line_of(word: Word, rest: str = "") -> bytes:
    """Return what is written; line breaks of a text are its own."""
    return f"{word.value} {rest}".encode("unicode_escape") + b"\n"


def read_line(line: bytes) -> tuple[Word, str]:
    """Return what was written."""
    word, _, rest = line.decode("unicode_escape").rstrip("\n").partition(" ")
    return Word(word), rest


def end_of(pace: Pace) -> bytes:
    """Return the order to end."""
    return line_of(Word.END, pace.value)


class Lines:
    """Whole lines of what comes in parts."""

    def __init__(self) -> None:
        self._rest = b""

    def of(self, part: bytes) -> Iterator[bytes]:
        """Return the lines that a further part completes."""
        *whole, self._rest = (self._rest + part).split(b"\n")
        yield from whole
