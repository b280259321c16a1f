"""How a piece of text is set: bold, struck, code, linked; counted, so that any nesting is flat."""

from dataclasses import dataclass, field, replace
from typing import Final

STRONG: Final = 1
EMPHASIS: Final = 2
STRIKE: Final = 4
INSERTED: Final = 8
SUBSCRIPT: Final = 16
SUPERSCRIPT: Final = 32
CODE: Final = 64

FORMATS: Final[dict[str, int]] = {
    **dict.fromkeys(("b", "strong"), STRONG),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), EMPHASIS),
    **dict.fromkeys(("s", "strike", "del"), STRIKE),
    **dict.fromkeys(("u", "ins"), INSERTED),
    "sub": SUBSCRIPT,
    "sup": SUPERSCRIPT,
    **dict.fromkeys(("code", "kbd", "samp", "tt"), CODE),
}
"""The elements that set text, and how."""


@dataclass(frozen=True, slots=True, eq=False)
class Anchor:
    """One link of the text; two links to one address stay two."""

    url: str


@dataclass(slots=True, kw_only=True)
class Setting:
    """How text is set at this place: each format with how often it is open, and the open link."""

    mask: int = 0
    link: Anchor | None = None
    open: dict[int, int] = field(default_factory=dict)

    def begin(self, form: int) -> None:
        self.open[form] = self.open.get(form, 0) + 1
        self.mask |= form

    def end(self, form: int) -> None:
        """End the innermost such format; without one nothing happens, as in a browser."""
        count = self.open.get(form, 0)
        if count:
            self.open[form] = count - 1
        if count == 1:
            self.mask &= ~form

    def copy(self) -> "Setting":
        return replace(self, open=dict(self.open))
