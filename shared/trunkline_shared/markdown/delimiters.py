"""Marks as Markdown: delimiters where GFM's flanking rules let them work, HTML where not.

The rules are CommonMark's section 6.2. Where its versions differ (are symbols punctuation?), only
what works in all of them is used.
"""

from dataclasses import dataclass
from unicodedata import category

from trunkline_shared.markdown.addresses import destination
from trunkline_shared.markdown.runs import Mark

_DELIMITERS = {"strong": ("**",), "em": ("_", "*"), "del": ("~~",)}
# Without the tilde: GitHub's parser looks through it at what stands behind.
_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}")
_PUNCTUATION_OR_SPACE = frozenset({"Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Zs"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What stands around a mark: the characters beside it, or none at an edge.

    `joined` is the delimiter's character when the mark before it ends there; `edge` tells that the
    mark stands first or last in another mark.
    """

    before: str
    after: str
    joined: str
    edge: bool


def marked(mark: Mark, inside: str, around: Around) -> str:
    """`inside` under `mark`."""
    if not inside:
        return ""
    if mark.tag == "a":
        return bracketed(inside, mark.url)
    for delimiter in _DELIMITERS.get(mark.tag, ()):
        if _works(delimiter, inside, around):
            return f"{delimiter}{inside}{delimiter}"
    return f"<{mark.tag}>{inside}</{mark.tag}>"


def bracketed(inside: str, url: str) -> str:
    """Point `inside` to `url`; a caret at its beginning makes no footnote of it."""
    caret = "\\" if inside.startswith("^") else ""
    return f"[{caret}{inside}]({destination(url)})"


def _works(delimiter: str, inside: str, around: Around) -> bool:
    if delimiter == "*" and (around.edge or "*" in {inside[0], inside[-1]}):
        return False  # it would join the delimiters of the mark outside or inside
    if delimiter[0] == around.joined:
        return False
    opens = _is_soft(around.before)
    closes = _is_soft(around.after)
    if delimiter == "_":
        return opens and closes
    return (opens or inside[0].isalnum()) and (closes or inside[-1].isalnum())


def _is_soft(character: str) -> bool:
    """Whether it is no part of a word, for every version of the rules."""
    return (
        not character
        or character in _ASCII_PUNCTUATION
        or character == " "
        or category(character) in _PUNCTUATION_OR_SPACE
    )
