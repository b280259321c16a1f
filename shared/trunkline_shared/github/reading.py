"""From an answer of GitHub to a typed value, or to the failure that it is."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, create_model

from trunkline_shared.exchange import Response
from trunkline_shared.github.failures import failure
from trunkline_shared.github.refusal import facts
from trunkline_shared.vendor.page import Page, links
from trunkline_shared.vendor.reading import Reading

T = TypeVar("T")

_GITHUB: Final = Reading(vendor="GitHub", failure=failure, facts=facts)
checked = _GITHUB.checked
one = _GITHUB.one
page = _GITHUB.page


def counted_page(kind: type[T], name: str) -> Callable[[Response], Page[T]]:
    """Return a reader of one page of a list that is the field `name` beside `total_count`."""
    fields: dict[str, Any] = {"total_count": (int, 0), name: (tuple[kind, ...], ...)}  # type: ignore[valid-type] # built at run time
    adapter: TypeAdapter[Any] = TypeAdapter(create_model("Counted", **fields))

    def read(response: Response) -> Page[T]:
        found = _GITHUB.parsed(checked(response), adapter)
        relations = links(response.headers)
        return Page(
            items=getattr(found, name),
            next_url=relations.get("next"),
            last_url=relations.get("last"),
            total_count=found.total_count,
        )

    return read


def existed(response: Response) -> bool:
    """Read the answer to a DELETE: whether there was something to delete (404 and 410: no)."""
    if response.status in {404, 410}:
        return False
    checked(response)
    return True
