"""Text for people: colour on a terminal, plain when piped."""

import json
import sys
from collections.abc import Sequence
from typing import Literal, TextIO

from trunkline_cli.environment import variables

Colour = Literal["bold", "dim", "red", "green", "yellow", "cyan"]

_CODES: dict[Colour, int] = {
    "bold": 1,
    "dim": 2,
    "red": 31,
    "green": 32,
    "yellow": 33,
    "cyan": 36,
}


def coloured(stream: TextIO) -> bool:
    """Return whether `stream` wants colour: a terminal, and no NO_COLOR (https://no-color.org)."""
    env = variables()
    return stream.isatty() and not env.get("NO_COLOR") and env.get("TERM") != "dumb"


def paint(text: str, colour: Colour, stream: TextIO | None = None) -> str:
    """Return `text` in a colour where `stream` (standard output) shows one."""
    if not coloured(stream or sys.stdout):
        return text
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


def as_json(value: object) -> str:
    """Return JSON: indented on a terminal, one line when piped."""
    if sys.stdout.isatty():
        return json.dumps(value, ensure_ascii=False, indent=2)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def say(text: str = "") -> None:
    """Print a line at once, also into a pipe."""
    print(text, flush=True)


def complain(text: str) -> None:
    """Print a line about a failure on standard error."""
    print(f"{paint('trunkline:', 'red', sys.stderr)} {text}", file=sys.stderr, flush=True)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return columns padded to their widest cell, with the head in bold on a terminal."""
    widths = [
        max((len(row[i]) for row in rows), default=0)
        if i == len(head) - 1
        else _widest(head, rows, i)
        for i in range(len(head))
    ]
    lines = [paint(_line(head, widths), "bold"), *(_line(row, widths) for row in rows)]
    return "\n".join(lines)


def _widest(head: Sequence[str], rows: Sequence[Sequence[str]], column: int) -> int:
    return max(len(line[column]) for line in [head, *rows])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()
