"""One way through all lists: a page, or as many items as are wanted, and where they go on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Generic, TypeVar

import orjson
from pydantic import Field

from trunkline_shared.arguments import PLAIN
from trunkline_shared.cursor import Cursors
from trunkline_shared.errors import InvalidInput
from trunkline_shared.exchange import Endpoint, Response
from trunkline_shared.listing import PageInfo, Source
from trunkline_shared.together import together
from trunkline_shared.vendor.answered import source_of, with_response
from trunkline_shared.vendor.page import Page, page_number
from trunkline_shared.vendor.paging import Performer, following

T = TypeVar("T")

MOST_ITEMS = 500
MOST_PAGES = 20
"""Of Basecamp's pages in one call: a filter that lets nothing through must end, and say so."""

FILTERED_ITEMS = 100
"""How many are looked for where a filter is ours and the caller has not said how many."""

PageNumber = Annotated[int, Field(ge=1), PLAIN]
MaxItems = Annotated[
    int, Field(ge=0, le=MOST_ITEMS, description="Follow pages up to so many; 0: one page"), PLAIN
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """Which part of a list is wanted: from a page or a cursor on, one page or so many items."""

    page: int = 1
    cursor: str = ""
    max_items: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Generic[T]):
    """A list to read: Basecamp's own, or several of them side by side, page by page.

    `question` is what a cursor of it belongs to. With `wanted` the list is filtered here.
    """

    endpoints: tuple[Endpoint[Page[T]], ...]
    question: tuple[object, ...]
    wanted: Callable[[T], bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed(Generic[T]):
    """Items of a list, where it goes on, and where they come from."""

    items: tuple[T, ...]
    page_info: PageInfo
    source: Source

    @property
    def has_more(self) -> bool:
        return self.page_info.has_more


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where each list stands: the address of its next page (empty: at its end, None: unasked).

    `totals` are what Basecamp told of each; `skip` counts the entries of the next pages that have
    been given already.
    """

    urls: tuple[str | None, ...]
    totals: tuple[int | None, ...]
    skip: int = 0

    @property
    def goes_on(self) -> bool:
        return any(url != "" for url in self.urls)

    @property
    def next_page(self) -> int | None:
        numbers = {page_number(url) for url in self.urls if url}
        return numbers.pop() if len(numbers) == 1 and not self.skip else None

    @property
    def total(self) -> int | None:
        known = [total for total in self.totals if total is not None]
        return sum(known) if len(known) == len(self.totals) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read(Generic[T]):
    """A page that was read, and the answer that it came in; none for a list at its end."""

    page: Page[T]
    answer: Response | None = None

    @property
    def asked(self) -> str:
        return self.answer.url if self.answer is not None else ""


@dataclass(slots=True, kw_only=True)
class _Walk(Generic[T]):
    """What a call has read so far."""

    place: _Place
    items: list[T] = field(default_factory=list)
    answers: list[Response] = field(default_factory=list)
    capped: bool = False


async def read_list(
    performer: Performer, cursors: Cursors, listing: Listing[T], extent: Extent
) -> Listed[T]:
    """Return the part of a list that is wanted.

    Raises InvalidInput for an unusable cursor before anything is asked, else a TrunklineError.
    """
    place = _beginning(cursors, listing, extent)
    walk = await _walked(performer, listing, _Walk(place=place), extent)
    where = walk.place
    filtered = listing.wanted is not None
    info = PageInfo(
        has_more=where.goes_on,
        next_page=None if filtered else where.next_page,
        next_cursor=cursors.written(_written(where), *listing.question) if where.goes_on else None,
        total_count=None if filtered else where.total,
        returned=len(walk.items),
        truncated=walk.capped,
    )
    return Listed(items=tuple(walk.items), page_info=info, source=_source(walk.answers))


def _beginning(cursors: Cursors, listing: Listing[T], extent: Extent) -> _Place:
    if not extent.cursor:
        lists = len(listing.endpoints)
        return _Place(urls=(None,) * lists, totals=(None,) * lists)
    if extent.page > 1:
        raise InvalidInput(
            f"page {extent.page} and cursor exclude one another.",
            hint="Pass the cursor alone: it knows where the list goes on.",
            details={"field_errors": [{"field": "page", "problem": "excludes cursor"}]},
        )
    urls, totals, skip = orjson.loads(cursors.read(extent.cursor, *listing.question))
    return _Place(urls=tuple(urls), totals=tuple(totals), skip=skip)


def _written(place: _Place) -> str:
    return orjson.dumps([place.urls, place.totals, place.skip]).decode()


async def _walked(
    performer: Performer, listing: Listing[T], walk: _Walk[T], extent: Extent
) -> _Walk[T]:
    """Read pages until there are enough items, or the list or our patience ends."""
    one_page = not extent.max_items and listing.wanted is None
    limit = extent.max_items or (MOST_ITEMS if one_page else FILTERED_ITEMS)
    for _ in range(MOST_PAGES):
        reads = await _side_by_side(performer, listing, walk, extent.page)
        _take(reads, listing, walk, limit)
        if one_page or not walk.place.goes_on:
            return walk
        if len(walk.items) == limit:
            break
    walk.capped = walk.place.goes_on
    return walk


async def _side_by_side(
    performer: Performer, listing: Listing[T], walk: _Walk[T], page: int
) -> Sequence[_Read[T]]:
    """Read the page of each list at which the walk stands; those at their end have none left."""

    async def read(endpoint: Endpoint[Page[T]], url: str | None, total: int | None) -> _Read[T]:
        if url == "":
            return _Read(page=Page(items=(), total_count=total))
        found, answer = await performer.perform(with_response(_at(endpoint, url, page)))
        return _Read(page=found, answer=answer)

    places = zip(listing.endpoints, walk.place.urls, walk.place.totals, strict=True)
    async with together() as tasks:
        reading = [tasks.create_task(read(*place)) for place in places]
    return [task.result() for task in reading]


def _at(endpoint: Endpoint[Page[T]], url: str | None, page: int) -> Endpoint[Page[T]]:
    if url:
        return following(endpoint, url)
    if page == 1:
        return endpoint
    query = (*endpoint.request.query, ("page", str(page)))
    return replace(endpoint, request=replace(endpoint.request, query=query))


def _take(reads: Sequence[_Read[T]], listing: Listing[T], walk: _Walk[T], limit: int) -> None:
    """Add what is wanted of the pages, up to the limit, and move the walk on behind it."""
    wanted = listing.wanted or (lambda _: True)
    entries = [item for read in reads for item in read.page.items]
    chosen = [
        (index, item)
        for index, item in enumerate(entries)
        if index >= walk.place.skip and wanted(item)
    ]
    room = limit - len(walk.items)
    walk.items += [item for _, item in chosen[:room]]
    walk.answers += [read.answer for read in reads if read.answer is not None]
    again = len(chosen) > room
    walk.place = _Place(
        urls=tuple(read.asked if again else read.page.next_url or "" for read in reads),
        totals=tuple(read.page.total_count for read in reads),
        skip=chosen[room][0] if again else 0,
    )


def _source(answers: Sequence[Response]) -> Source:
    """Return where several answers come from: as fresh as the first, stored if all were."""
    source = source_of(answers[0])
    if len(answers) == 1:
        return source
    cached = all(answer.confirmed for answer in answers)
    return source.model_copy(update={"etag": None, "cached": cached})
