"""Pages by `startAt` and `maxResults`."""

from collections.abc import Sequence
from typing import TypeVar

from trunkline_shared.testing.jira.answers import refused
from trunkline_shared.testing.stand_in.call import Call

T = TypeVar("T")


def page_of(call: Call, items: Sequence[T], most: int) -> tuple[Sequence[T], int, int]:
    """Return the items of the page that is asked for, where it starts and how long it may be.

    `most` is both the default and the longest. Raises Refusal for what is no number.
    """
    start = _number(call, "startAt", 0)
    length = min(_number(call, "maxResults", most), most)
    return items[start : start + length], start, length


def _number(call: Call, name: str, otherwise: int) -> int:
    text = call.query.get(name, "")
    if not text:
        return otherwise
    if not text.isascii() or not text.isdigit():
        raise refused(400, [f"The value of '{name}' is not a number."])
    return int(text)
