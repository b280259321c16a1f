"""One way through all lists, however they are cut into pages and wherever a caller stops."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from trunkline_project_reader.basecamp.listing import (
    FILTERED_ITEMS,
    MOST_ITEMS,
    MOST_PAGES,
    Extent,
    Listed,
    Listing,
    read_list,
)
from trunkline_project_reader.basecamp.reading import get, page
from trunkline_shared.cursor import Cursor, Cursors
from trunkline_shared.errors import InvalidInput
from trunkline_shared.exchange import Endpoint, Response
from trunkline_shared.signing import SigningKeys
from trunkline_shared.testing.basecamp.paging import bounds

pytestmark = pytest.mark.anyio

T = TypeVar("T")
HOST = "https://3.basecampapi.com/1"
CURSORS = Cursors(SigningKeys((b"a key of this test only",)))
_read = page(int)


@dataclass(slots=True)
class Lists:
    """Numbers in geared pages, one list per path; counts what was asked."""

    lists: dict[str, Sequence[int]]
    asked: list[str] = field(default_factory=list)

    async def perform(self, endpoint: Endpoint[T]) -> T:
        path = endpoint.request.path.removeprefix(HOST).partition("?")[0]
        number = endpoint.request.path.partition("page=")[2] or dict(endpoint.request.query).get(
            "page", "1"
        )
        self.asked.append(f"{path} {number}")
        start, size = bounds(int(number))
        everything = self.lists[path]
        headers = {"x-total-count": str(len(everything))}
        if start + size < len(everything):
            headers["link"] = f'<{HOST}{path}?page={int(number) + 1}>; rel="next"'
        body = str(list(everything[start : start + size])).encode()
        url = f"{HOST}{path}" + (f"?page={number}" if number != "1" else "")
        return endpoint.read(Response(status=200, headers=headers, body=body, url=url))

    def listing(self, *, even: bool = False) -> Listing[int]:
        """Return all of them side by side."""
        return Listing(
            endpoints=tuple(get(path, _read) for path in self.lists),
            question=("numbers", even),
            wanted=(lambda number: number % 2 == 0) if even else None,
        )

    async def part(self, extent: Extent, *, even: bool = False) -> Listed[int]:
        return await read_list(self, CURSORS, self.listing(even=even), extent)


def numbers(count: int, start: int = 0) -> range:
    return range(start, start + count)


@pytest.mark.requirement("basecamp.paging")
@given(
    counts=st.lists(st.integers(0, 320), min_size=1, max_size=2),
    sizes=st.lists(st.integers(0, MOST_ITEMS), min_size=1, max_size=4),
)
async def test_every_way_through_lists_gives_each_item_once(
    counts: list[int], sizes: list[int]
) -> None:
    """Whatever `max_items` each call names, side by side or alone, and the total stays right."""
    lists = Lists({f"/{n}.json": numbers(count, n * 1000) for n, count in enumerate(counts)})
    items: list[int] = []
    cursor, calls = "", 0
    while True:
        size = sizes[calls % len(sizes)]
        found = await lists.part(Extent(cursor=cursor, max_items=size))
        assert found.page_info.total_count == sum(counts)
        assert found.page_info.returned == len(found.items)
        assert not size or len(found.items) <= size
        items += found.items
        calls += 1
        if not found.has_more:
            break
        assert found.page_info.next_cursor
        cursor = found.page_info.next_cursor
    assert sorted(items) == [n for each in lists.lists.values() for n in each]


@pytest.mark.requirement("basecamp.filters-honest")
@given(count=st.integers(0, 2500), size=st.integers(0, 60))
async def test_a_filter_of_ours_loses_nothing_and_ends_only_at_the_end(
    count: int, size: int
) -> None:
    """No total is claimed, and a page number would lie."""
    lists = Lists({"/a.json": numbers(count)})
    items: list[int] = []
    cursor = ""
    while True:
        found = await lists.part(Extent(cursor=cursor, max_items=size), even=True)
        assert found.page_info.total_count is None
        assert found.page_info.next_page is None
        assert len(found.items) <= (size or FILTERED_ITEMS)
        items += found.items
        if not found.has_more:
            break
        assert found.page_info.truncated
        cursor = found.page_info.next_cursor or ""
    assert items == [n for n in range(count) if n % 2 == 0]


@pytest.mark.requirement("basecamp.filters-honest")
async def test_a_filter_that_lets_nothing_through_ends_and_says_that_there_is_more() -> None:
    """After so many pages; an empty answer is not the end."""
    lists = Lists({"/a.json": [1] * 3000})
    found = await lists.part(Extent(), even=True)
    assert len(lists.asked) == MOST_PAGES
    assert found.items == ()
    assert found.has_more
    assert found.page_info.truncated


async def test_a_list_that_leads_back_to_itself_ends() -> None:
    """A link that a vendor got wrong costs so many pages, and the answer says that it was cut."""

    class Circle:
        asked = 0

        async def perform(self, endpoint: Endpoint[T]) -> T:
            self.asked += 1
            headers = {"link": f'<{HOST}/a.json?page=2>; rel="next"'}
            return endpoint.read(Response(status=200, headers=headers, body=b"[1]", url=HOST))

    circle = Circle()
    listing = Listing(endpoints=(get("/a.json", _read),), question=())
    found = await read_list(circle, CURSORS, listing, Extent(max_items=500))
    assert circle.asked == MOST_PAGES
    assert found.page_info.truncated
    assert found.has_more
    assert found.page_info.total_count is None


async def test_a_page_is_asked_for_by_its_number() -> None:
    """The third page holds fifty; the page after it is told."""
    lists = Lists({"/a.json": numbers(200)})
    found = await lists.part(Extent(page=3))
    assert lists.asked == ["/a.json 3"]
    assert found.items == tuple(range(45, 95))
    assert found.page_info.next_page == 4
    assert not found.page_info.truncated


async def test_a_page_beyond_the_end_is_empty_and_the_end() -> None:
    """Nothing is made up for it."""
    found = await Lists({"/a.json": numbers(20)}).part(Extent(page=9))
    assert (found.items, found.has_more, found.page_info.total_count) == ((), False, 20)


async def test_items_from_a_page_on_go_on_behind_where_they_were_cut() -> None:
    """A cursor from the middle of the second page begins there, not on the first."""
    lists = Lists({"/a.json": numbers(100)})
    first = await lists.part(Extent(page=2, max_items=10))
    assert first.items == tuple(range(15, 25))
    assert first.page_info.next_page is None
    rest = await lists.part(Extent(cursor=first.page_info.next_cursor or "", max_items=500))
    assert rest.items == tuple(range(25, 100))


async def test_lists_side_by_side_have_pages_of_their_own() -> None:
    """The longer one goes on alone; neither is asked for beyond its end."""
    lists = Lists({"/a.json": numbers(20), "/b.json": numbers(5, 1000)})
    first = await lists.part(Extent())
    assert first.items == (*range(15), *range(1000, 1005))
    assert (first.page_info.next_page, first.page_info.total_count) == (2, 25)
    second = await lists.part(Extent(cursor=first.page_info.next_cursor or ""))
    assert second.items == tuple(range(15, 20))
    assert lists.asked == ["/a.json 1", "/b.json 1", "/a.json 2"]
    assert (await lists.part(Extent(page=2))).items == second.items


@pytest.mark.requirement("basecamp.cursor")
async def test_a_cursor_of_another_list_or_with_a_page_is_refused_before_anything_is_asked() -> (
    None
):
    """Each says why."""
    lists = Lists({"/a.json": numbers(100)})
    cursor = (await lists.part(Extent())).page_info.next_cursor or ""
    lists.asked.clear()
    with pytest.raises(InvalidInput, match="other arguments"):
        await lists.part(Extent(cursor=cursor), even=True)
    with pytest.raises(InvalidInput, match="exclude"):
        await lists.part(Extent(cursor=cursor, page=2))
    with pytest.raises(InvalidInput, match="not one that this server"):
        await lists.part(Extent(cursor=cursor[:-2] + "AA"))
    assert not lists.asked


@pytest.mark.requirement("basecamp.cursor")
@pytest.mark.parametrize("size", [7, 0])
async def test_a_cursor_of_many_lists_can_be_handed_back(size: int) -> None:
    """A list with a hundred groups: the argument takes what the server has given."""
    lists = Lists({f"/todolists/{1_069_478_941 + n}/todos.json": numbers(20) for n in range(100)})
    first = await lists.part(Extent(max_items=size))
    cursor = first.page_info.next_cursor
    assert cursor is not None
    assert TypeAdapter(Cursor).validate_python(cursor) == cursor
    second = await lists.part(Extent(cursor=cursor, max_items=size))
    assert len(second.items) == len(first.items) == (size or MOST_ITEMS)
