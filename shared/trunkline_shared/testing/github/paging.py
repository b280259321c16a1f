"""Pages of a list, and the `Link` header that leads through them."""

from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import urlencode

from trunkline_shared.testing.github.call import Call

T = TypeVar("T")
PER_PAGE = 30
MOST_PER_PAGE = 100


def page_of(
    call: Call, everything: Sequence[T], address: str
) -> tuple[Sequence[T], dict[str, str]]:
    """Return the page that the call asks for, and its headers.

    `address` is the URL of the list; the other query parameters are kept in the links.
    """
    per_page = min(_positive(call.query.get("per_page"), PER_PAGE), MOST_PER_PAGE)
    page = _positive(call.query.get("page"), 1)
    last = max(1, -(-len(everything) // per_page))
    shown = everything[(page - 1) * per_page : page * per_page]
    links = [
        f'<{address}?{urlencode({**call.query, "page": number})}>; rel="{rel}"'
        for rel, number in relations(page, last)
    ]
    return shown, {"link": ", ".join(links)} if links else {}


def _positive(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() and int(text) > 0 else default


def relations(page: int, last: int) -> list[tuple[str, int]]:
    """Return where the links of a page lead, by relation, in GitHub's order."""
    relations = []
    if page > 1:
        relations.append(("prev", min(page - 1, last)))
    if page < last:
        relations += [("next", page + 1), ("last", last)]
    if page > 1:
        relations.append(("first", 1))
    return relations
