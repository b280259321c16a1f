"""From an answer of Basecamp to a typed value, or to the failure that it is."""

from collections.abc import Callable
from typing import Final, TypeVar

from trunkline_project_reader.basecamp.failures import failure
from trunkline_project_reader.basecamp.refusal import facts
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.vendor.page import Page
from trunkline_shared.vendor.reading import Reading

T = TypeVar("T")

_NO_CONTENT = 204


def _own(response: Response) -> None:
    """Refuse what came from another origin: a page to sign in at, or worse."""
    if response.elsewhere:
        raise UpstreamUnavailable(
            "Basecamp sent a read on to another host, whose answer counts for nothing.",
            hint="Something on the way asks for a login, or TRUNKLINE_BASECAMP_API_URL is wrong.",
            retryable=False,
            details={**facts(response), "reason": "redirected_elsewhere"},
        )


_BASECAMP: Final = Reading(vendor="Basecamp", failure=failure, facts=facts, check=_own)
one = _BASECAMP.one


def page(kind: type[T]) -> Callable[[Response], Page[T]]:
    """Return a reader of one page of a list; an answer without a body is an empty page."""
    filled = _BASECAMP.page(kind, _total)

    def read(response: Response) -> Page[T]:
        return Page(items=()) if response.status == _NO_CONTENT else filled(response)

    return read


def get(
    template: str,
    read: Callable[[Response], T],
    query: tuple[tuple[str, str], ...] = (),
    **names: int,
) -> Endpoint[T]:
    """Return the endpoint that reads `template`, its `{names}` filled; there is no other kind."""
    return Endpoint(
        request=Request(
            method="GET", path=template.format(**names), query=query, template=template
        ),
        read=read,
        repeatable=True,
    )


def _total(response: Response) -> int | None:
    text = response.headers.get("x-total-count", "")
    return int(text) if text.isascii() and text.isdigit() else None
