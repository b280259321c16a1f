"""Texts of strangers in a summary: of one line or an excerpt, without what nobody sees."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator

from trunkline_shared.untrusted import sanitize

LINE, EXCERPT, MOST = 200, 600, 10

T = TypeVar("T")


def line(text: str) -> str:
    """Return a text as one line of at most `LINE` characters."""
    return cut(" ".join(sanitize(text).split()), LINE)


def excerpt(text: str) -> str:
    """Return the beginning of a text, at most `EXCERPT` characters."""
    return cut(sanitize(text).strip(), EXCERPT)


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` characters; one that was longer ends in `…`."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _first(items: object) -> object:
    return items[:MOST] if isinstance(items, list) else items


def _name(value: object) -> object:
    """Return how a person is called, whether told as a name or as an account."""
    if not isinstance(value, Mapping):
        return value
    return next((value[key] for key in ("display_name", "name") if value.get(key)), None)


Line = Annotated[str, AfterValidator(line)]
Excerpt = Annotated[str, AfterValidator(excerpt)]
Few = Annotated[list[T], BeforeValidator(_first)]
Name = Annotated[Line | None, BeforeValidator(_name)]
