"""Bodies that GitHub would refuse for their length, cut so that they still read well.

GitHub answers 422 beyond 65,536 characters; reports speak of 262,144 bytes too, so both hold.
"""

from dataclasses import dataclass
from itertools import accumulate

from trunkline_comment.graphemes import whole_before
from trunkline_comment.markdown_blocks import Blocks, blocks
from trunkline_shared.github.outgoing_text import MAX_BYTES, MAX_CHARACTERS

_WORD_WITHIN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most a body may have.

    `reserve` are characters kept free in a body that is cut: for its marker, its notice and what
    it closes.
    """

    characters: int = MAX_CHARACTERS
    bytes: int = MAX_BYTES
    reserve: int = 1_000

    def hold(self, body: str) -> bool:
        return len(body) <= self.characters and len(body.encode()) <= self.bytes

    @property
    def of_text(self) -> "Limits":
        """The limits of a text that still gets all that the reserve is for."""
        return Limits(
            characters=self.characters - self.reserve,
            bytes=self.bytes - 4 * self.reserve,
            reserve=0,
        )


GITHUB = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a body: `text` is the author's, `before` and `after` are what a cut needs."""

    before: str = ""
    text: str
    after: str = ""

    @property
    def rendered(self) -> str:
        return self.before + self.text + self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Where a text is cut, what closes the first part there, and what opens the rest."""

    at: int
    close: str
    reopen: str


def fits(body: str) -> bool:
    """Say whether GitHub takes a body of this length."""
    return GITHUB.hold(body)


def truncate(body: str, head: str = "", limits: Limits = GITHUB) -> str:
    """Return `head` and as much of `body` as fits below it, with a notice if that is not all."""
    if limits.hold(head + body):
        return head + body
    cut = _cut(body, limits.of_text)
    hidden = len(body) - cut.at
    notice = f"_Truncated: {hidden:,} of {len(body):,} characters are not shown._\n"
    return f"{head}{_ended(body[: cut.at])}{cut.close}\n{notice}"


def split(body: str, head: str = "", limits: Limits = GITHUB) -> list[Piece]:
    """Return `body` in parts, in order, that fit below a head as long as `head`."""
    if limits.hold(head + body):
        return [Piece(text=body)]
    room = limits.of_text
    pieces: list[Piece] = []
    before, rest = "", body
    while not room.hold(before + rest):
        cut = _cut(before + rest, room)
        at = cut.at - len(before)
        pieces.append(_piece(before, rest[:at], cut.close))
        before, rest = cut.reopen, rest[at:]
    pieces.append(_piece(before, rest, blocks(before + rest).open_before[-1].close))
    return [_numbered(piece, k, len(pieces)) for k, piece in enumerate(pieces, 1)]


def _piece(before: str, text: str, close: str) -> Piece:
    return Piece(before=before, text=text, after=("" if text.endswith("\n") else "\n") + close)


def _numbered(piece: Piece, part: int, parts: int) -> Piece:
    note = f"\n_Part {part} of {parts}_\n"
    return Piece(before=piece.before, text=piece.text, after=piece.after + note)


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _cut(text: str, room: Limits) -> Cut:
    """Cut `text`, for which there is no room.

    Between two top-level blocks if that keeps half of what fits, else between two lines, else
    between two words or grapheme clusters.
    """
    fitting = _fitting(text, room)
    window = blocks(text[:fitting])
    places = _places(window, fitting)
    clean = [(at, n) for at, n in places if n in window.borders and window.open_before[n].nothing]
    at, number = (clean or places or [(_inside_line(text, fitting), len(window.lines))])[-1]
    return Cut(
        at=at, close=window.open_before[number].close, reopen=window.open_before[number].reopen
    )


def _places(window: Blocks, fitting: int) -> list[tuple[int, int]]:
    """Return the starts of lines in the second half: their offset and number."""
    offsets = accumulate((len(line) for line in window.lines), initial=0)
    ends_line = window.lines[-1].endswith(("\r", "\n"))
    last = len(window.lines) - (0 if ends_line else 1)
    return [(at, n) for n, at in enumerate(offsets) if at >= fitting // 2 and n <= last]


def _fitting(text: str, room: Limits) -> int:
    head = text[: room.characters].encode()
    return len(head[: room.bytes].decode(errors="ignore"))


def _inside_line(text: str, fitting: int) -> int:
    space = text.rfind(" ", fitting - _WORD_WITHIN, fitting)
    return space + 1 if space > 0 else whole_before(text, fitting)
