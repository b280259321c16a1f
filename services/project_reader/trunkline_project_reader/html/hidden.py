"""Elements that a browser does not show, and where what they hide ends."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from trunkline_project_reader.html.elements import BLOCKS
from trunkline_project_reader.html.markup import attributes

# fmt: off
VOID = frozenset({
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img",
    "input", "keygen", "link", "meta", "param", "source", "track", "wbr",
})
# fmt: on
MAYBE_UNSEEN = frozenset({"template", "datalist", "rp", "dialog"})
"""The elements that may be hidden without an attribute that says so."""

_NEVER = frozenset({"template", "datalist", "rp"})
_UNSEEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE
)
_SUSPECT = re.compile(r"hidden|none|collapse", re.IGNORECASE)
_NESTING = frozenset({"ul", "ol", "dl", "table", "select"})
_ROW_ENDS = frozenset({"tr", "tbody", "tfoot"})
_ENDED_BY: Mapping[str, frozenset[str]] = {
    "p": BLOCKS | {"blockquote", "ul", "ol", "table", "pre", "hr", *(f"h{n}" for n in range(1, 7))},
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tr": _ROW_ENDS,
    "td": _ROW_ENDS | {"td", "th"},
    "th": _ROW_ENDS | {"td", "th"},
    "option": frozenset({"option", "optgroup"}),
}
"""The elements that need no end tag, and what begins after them."""


def hides(tag: str, written: str) -> bool:
    """Tell whether a browser shows nothing of an element."""
    if tag in _NEVER or (tag == "dialog" and "open" not in attributes(written)):
        return True
    if not written or not _SUSPECT.search(written):
        return False
    given = attributes(written)
    return "hidden" in given or bool(_UNSEEN_STYLE.search(given.get("style", "")))


@dataclass(slots=True)
class Hidden:
    """A hidden element being passed over; `around` says how often each element is open outside."""

    tag: str
    around: Mapping[str, int]
    within: dict[str, int] = field(default_factory=dict)

    def ended_by(self, tag: str) -> bool:
        """Take note of a tag, an end tag with its slash; returns whether it ends what is hidden."""
        if tag[0] == "/":
            return self._ends(tag[1:])
        if tag in _ENDED_BY.get(self.tag, ()) and not any(map(self.within.get, _NESTING)):
            return True
        if tag not in VOID:
            self.within[tag] = self.within.get(tag, 0) + 1
        return False

    def _ends(self, tag: str) -> bool:
        if self.within.get(tag):
            self.within[tag] -= 1
            return False
        return tag == self.tag or self.around.get(tag, 0) > 0
