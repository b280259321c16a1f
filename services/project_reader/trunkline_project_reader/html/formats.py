"""How a piece of text is set: bold, struck, code, linked; counted, so that any nesting is flat."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from trunkline_shared.markdown.document import (
    Emphasis,
    Inline,
    Inlines,
    Link,
    Strike,
    Strong,
    Tagged,
)


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One way to set text, as the node that it becomes; code is a leaf and becomes none here."""

    around: Callable[[Inlines], Inline] | None
    is_link: bool = False


Marks: TypeAlias = tuple[Mark, ...]
"""The marks that a text stands under, the outermost first."""

CODE: Final = Mark(None)
_STRONG = Mark(Strong)
_EMPHASIS = Mark(Emphasis)
_STRIKE = Mark(Strike)
_INSERTED = Mark(partial(Tagged, "ins"))

FORMATS: Final[dict[str, Mark]] = {
    **dict.fromkeys(("b", "strong"), _STRONG),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), _EMPHASIS),
    **dict.fromkeys(("s", "strike", "del"), _STRIKE),
    **dict.fromkeys(("u", "ins"), _INSERTED),
    "sub": Mark(partial(Tagged, "sub")),
    "sup": Mark(partial(Tagged, "sup")),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), CODE),
}
"""The elements that set text, and how."""


def linked(url: str) -> Mark:
    """Return the mark of a link; two links to one address stay two."""
    return Mark(partial(Link, url), is_link=True)


@dataclass(slots=True, kw_only=True)
class Setting:
    """How text is set at this place, and how often each of it is open."""

    marks: Marks = ()
    open: dict[Mark, int] = field(default_factory=dict)

    def begin(self, mark: Mark) -> None:
        count = self.open.get(mark, 0)
        self.open[mark] = count + 1
        if not count:
            self.marks = (*self.marks, mark)

    def end(self, mark: Mark) -> None:
        """End the innermost such mark; without one nothing happens, as in a browser."""
        count = self.open.get(mark, 0)
        if count:
            self.open[mark] = count - 1
        if count != 1:
            return
        if self.marks[-1] is mark:
            self.marks = self.marks[:-1]
        else:
            self.marks = tuple([other for other in self.marks if other is not mark])

    def link(self, url: str) -> None:
        """Begin a link, which ends the one before it; "" begins none."""
        marks = tuple([mark for mark in self.marks if not mark.is_link])
        self.marks = (*marks, linked(url)) if url else marks

    def copy(self) -> "Setting":
        return Setting(marks=self.marks, open=self.open.copy())
