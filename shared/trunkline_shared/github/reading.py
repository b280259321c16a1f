"""From an answer of GitHub to a typed value, or to the failure that it is.

Readers are built once, at import: pydantic's preparation costs more than a reading.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError, create_model

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.exchange import Response
from trunkline_shared.github.failures import failure
from trunkline_shared.github.page import Page, links
from trunkline_shared.github.refusal import facts

T = TypeVar("T")

MALFORMED = "malformed_answer"


def one(kind: type[T]) -> Callable[[Response], T]:
    """Return a reader of one object."""
    adapter = TypeAdapter(kind)

    def read(response: Response) -> T:
        return _parsed(checked(response), adapter)

    return read


def page(kind: type[T]) -> Callable[[Response], Page[T]]:
    """Return a reader of one page of a list."""
    adapter: TypeAdapter[tuple[T, ...]] = TypeAdapter(tuple[kind, ...])  # type: ignore[valid-type] # built at run time

    def read(response: Response) -> Page[T]:
        items = _parsed(checked(response), adapter)
        relations = links(response.headers)
        return Page(items=items, next_url=relations.get("next"), last_url=relations.get("last"))

    return read


def counted_page(kind: type[T], name: str) -> Callable[[Response], Page[T]]:
    """Return a reader of one page of a list that is the field `name` beside `total_count`."""
    fields: dict[str, Any] = {"total_count": (int, 0), name: (tuple[kind, ...], ...)}  # type: ignore[valid-type] # built at run time
    adapter: TypeAdapter[Any] = TypeAdapter(create_model("Counted", **fields))

    def read(response: Response) -> Page[T]:
        found = _parsed(checked(response), adapter)
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


def checked(response: Response) -> Response:
    """Return the response when it is a success; raises what it failed with otherwise."""
    if 200 <= response.status < 300:  # noqa: PLR2004 - the HTTP class of successes
        return response
    raise failure(response)


def _parsed(response: Response, adapter: TypeAdapter[T]) -> T:
    try:
        return adapter.validate_json(response.body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the body"
        raise UpstreamUnavailable(
            f"GitHub answered {response.status} unexpectedly ({where}: {first['type']}).",
            retryable=False,
            details=facts(response) | {"reason": MALFORMED},
        ) from None
