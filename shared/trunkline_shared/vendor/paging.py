"""All pages of a list, from an endpoint on, by the links that join them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Protocol, TypeVar

from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Collected, Page

T = TypeVar("T")

PAGE_CAP = 100


class Performer(Protocol):
    """Whatever performs an endpoint: credentials, limits, retries and all."""

    async def perform(self, endpoint: Endpoint[T]) -> T: ...


async def collect(performer: Performer, endpoint: Endpoint[Page[T]], limit: int) -> Collected[T]:
    """Follow the pages of a list from `endpoint` on, until the end or `limit` items.

    Raises a TrunklineError; a page link to another origin is refused.
    """
    items: list[T] = []
    next_url: str | None = None
    total: int | None = None
    async for page in pages(performer, endpoint):
        items += page.items
        next_url, total = page.next_url, page.total_count
        if len(items) >= limit:
            break
    more = next_url is not None or len(items) > limit
    return Collected(
        items=tuple(items[:limit]),
        truncated=more or len(items) < (total or 0),
        total_count=total,
    )


async def pages(performer: Performer, endpoint: Endpoint[Page[T]]) -> AsyncIterator[Page[T]]:
    """Yield the pages of a list; one is asked for when it is needed. Ends after 100.

    Raises as `collect` does.
    """
    for _ in range(PAGE_CAP):
        page = await performer.perform(endpoint)
        yield page
        if page.next_url is None:
            return
        endpoint = following(endpoint, page.next_url)


def following(endpoint: Endpoint[T], url: str) -> Endpoint[T]:
    """Return the endpoint at the address of another page of its list."""
    return replace(endpoint, request=replace(endpoint.request, path=url, query=()))
