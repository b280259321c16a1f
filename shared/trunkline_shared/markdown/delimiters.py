"""Marks as Markdown: delimiters where GFM's flanking rules let them work, HTML where not.

The rules are CommonMark's section 6.2. Where its versions differ (are symbols punctuation?), only
what works in all of them is used.
"""

from unicodedata import category

from trunkline_shared.markdown.addresses import destination
from trunkline_shared.markdown.runs import Mark

_DELIMITERS = {"strong": ("**",), "em": ("_", "*"), "del": ("~~",)}
# Without the tilde: GitHub's parser looks through it at what stands behind.
_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}")
_PUNCTUATION_OR_SPACE = frozenset({"Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Zs"})


def marked(mark: Mark, inside: str, *, before: str, after: str, joined: str, edge: bool) -> str:
    """`inside` under `mark`, between the characters `before` and `after`, or none at an edge.

    `joined` is the delimiter's character when the mark before it ends there; `edge` tells that the
    mark stands first or last in another mark.
    """
    if not inside:
        return ""
    if mark.tag == "a":
        return bracketed(inside, mark.url)
    for delimiter in _DELIMITERS.get(mark.tag, ()):
        if delimiter == "*" and (edge or "*" in {inside[0], inside[-1]}):
            continue  # it would join the delimiters of the mark outside or inside
        if delimiter[0] != joined and _works(delimiter, inside, before, after):
            return f"{delimiter}{inside}{delimiter}"
    return f"<{mark.tag}>{inside}</{mark.tag}>"


def bracketed(inside: str, url: str) -> str:
    """Point `inside` to `url`; a caret at its beginning makes no footnote of it."""
    caret = "\\" if inside.startswith("^") else ""
    return f"[{caret}{inside}]({destination(url)})"


def _works(delimiter: str, inside: str, before: str, after: str) -> bool:
    opens, closes = _is_soft(before), _is_soft(after)
    if delimiter == "_":
        return opens and closes
    return (opens or inside[0].isalnum()) and (closes or inside[-1].isalnum())


def _is_soft(character: str) -> bool:
    """Whether it is no part of a word, for every version of the rules."""
    return (
        character in {"", " "}
        or character in _ASCII_PUNCTUATION
        or category(character) in _PUNCTUATION_OR_SPACE
    )
