"""Geared pages: 15 entries, then 30, then 50, then 100 each; joined by `Link`, counted."""

from collections.abc import Callable, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from trunkline_shared.testing.basecamp.asked import Asked
from trunkline_shared.testing.stand_in.call import Answer

T = TypeVar("T")
GEARS = (15, 30, 50)
TOP_GEAR = 100


def bounds(page: int) -> tuple[int, int]:
    """Return where a page begins and how many entries it holds; the first page is 1."""
    before = page - 1
    start = sum(GEARS[:before]) + max(0, before - len(GEARS)) * TOP_GEAR
    return start, GEARS[before] if before < len(GEARS) else TOP_GEAR


def paged(asked: Asked, everything: Sequence[T], payload: Callable[[T], object]) -> Answer:
    """Answer with the page of a list that is asked for."""
    text = asked.query.get("page", "")
    page = int(text) if text.isdecimal() and int(text) > 0 else 1
    start, size = bounds(page)
    headers = {"x-total-count": str(len(everything))}
    if start + size < len(everything):
        query = urlencode({**asked.query, "page": page + 1})
        headers["link"] = f'<{asked.call.url}?{query}>; rel="next"'
    shown = everything[start : start + size]
    return Answer(json=[payload(one) for one in shown], headers=headers)
