"""Lines of a log as one text of bounded size; its end is what is kept."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_ci_status.log_ring import Line
from trunkline_ci_status.log_text import show

_GAP = "--\n"
_MARK = " [... cut]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A text, the lines in it, and how many invisible characters are spelled out in it."""

    text: str
    lines: Sequence[Line]
    invisible: int
    cut: bool


def lay_out(lines: Sequence[Line], max_bytes: int, *, numbered: bool) -> Page:
    """Join the last lines that fit into `max_bytes` bytes of UTF-8.

    Numbered ones look as grep prints them: `12:` before a match, `13-` before context, `--`
    between lines that do not follow one another.
    """
    shown = show([line.raw for line in lines])
    texts = _numbered(lines, shown.lines) if numbered else list(shown.lines)
    fitting = _fitting(texts, max_bytes)
    last = texts[len(texts) - fitting :]
    text = "\n".join(last).removeprefix(_GAP) if numbered else "\n".join(last)
    if texts and not fitting:
        fitting, text = 1, _head(texts[-1].removeprefix(_GAP), max_bytes)
        return Page(text=text, lines=lines[-1:], invisible=shown.invisible, cut=True)
    kept = lines[len(lines) - fitting :]
    return Page(text=text, lines=kept, invisible=shown.invisible, cut=fitting < len(texts))


def _numbered(lines: Sequence[Line], texts: Sequence[str]) -> list[str]:
    numbered = []
    previous = None
    for line, text in zip(lines, texts, strict=True):
        gap = _GAP if previous is not None and line.number != previous + 1 else ""
        numbered.append(f"{gap}{line.number}{':' if line.matches else '-'}{text}")
        previous = line.number
    return numbered


def _fitting(texts: Sequence[str], max_bytes: int) -> int:
    """Return how many of the last texts fit, with a line feed between each two."""
    left = max_bytes + 1
    for count, text in enumerate(reversed(texts)):
        left -= len(text.encode()) + 1
        if left < 0:
            return count
    return len(texts)


def _head(text: str, max_bytes: int) -> str:
    room = max(0, max_bytes - len(_MARK))
    return text.encode()[:room].decode("utf-8", "ignore") + _MARK
