"""Our hidden marker: an HTML comment at the head of a body, by which a comment is found again.

Only the head counts, so that a quoted comment is never taken for the one it quotes.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from trunkline_shared.errors import InvalidInput

MARKER_CAP = 200
_SAFE = "/:+,="
_HEAD = re.compile(
    r"\A\s*<!-- trunkline:marker=(\S+?)(?: part=(\d+)/(\d+))? -->[ \t]*(?:\r\n|\r|\n)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A caller's name for a comment; `part` of `parts` when a long body needed several."""

    text: str
    part: int = 1
    parts: int = 1

    def line(self) -> str:
        """Return the marker as the first line of a body."""
        number = f" part={self.part}/{self.parts}" if self.parts > 1 else ""
        return f"<!-- trunkline:marker={_encoded(self.text)}{number} -->\n"


def parse_marker(text: str, field: str = "marker") -> Marker | None:
    """Return the marker that a caller named in the argument `field`; None for an empty text.

    Raises InvalidInput for blank, overlong or unprintable ones.
    """
    if not text:
        return None
    if not text.strip() or len(_encoded(text)) > MARKER_CAP or not text.isprintable():
        raise InvalidInput(
            f"{field} {text[:40]!r} is unusable: it must be printable, not blank, and at most "
            f"{MARKER_CAP} characters long when percent-encoded.",
            hint="Use a short stable name such as 'review-summary'.",
            details={"field_errors": [{"field": field, "problem": "is unusable"}]},
        )
    return Marker(text=text.strip())


def marker_of(body: str) -> Marker | None:
    """Return the marker at the head of `body`."""
    match = _HEAD.match(body)
    if match is None:
        return None
    text, part, parts = match.groups()
    return Marker(text=unquote(text), part=int(part or 1), parts=int(parts or 1))


def without_marker(body: str) -> str:
    """Return `body` without the marker at its head."""
    return _HEAD.sub("", body, count=1)


def _encoded(text: str) -> str:
    """Percent-encode what could end an HTML comment; `--` is not allowed inside one."""
    return quote(text, safe=_SAFE).replace("--", "-%2D")
