"""Links between pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.vendor.page import Page, links, page_number

NEXT = "https://api.github.com/repositories/1/issues/7/comments?per_page=2&page=3"
LAST = "https://api.github.com/repositories/1/issues/7/comments?per_page=2&page=9"


def test_a_link_header_is_read_by_relation() -> None:
    """The form that GitHub sends."""
    header = f'<{NEXT}>; rel="next", <{LAST}>; rel="last"'
    assert links({"link": header}) == {"next": NEXT, "last": LAST}


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("", {}),
        ("garbage", {}),
        ("<a>", {}),
        ("<a>; rel=next", {"next": "a"}),
        ('<a>;rel="next"', {"next": "a"}),
        ('<a>; REL="Next"', {"next": "a"}),
        ('<a>; title="x, y"; rel="next"', {"next": "a"}),
        ('<a,b;c>; rel="next"', {"next": "a,b;c"}),
        ('<a>; rel="next last"', {"next": "a", "last": "a"}),
        ('<a>; rel="next", <b>; rel="next"', {"next": "a"}),
        ('<a>; rel="next"; rel="prev"', {"next": "a", "prev": "a"}),
    ],
)
def test_other_forms_of_the_header_are_understood(header: str, found: dict[str, str]) -> None:
    """RFC 8288 allows them, and proxies rewrite headers."""
    assert links({"link": header}) == found


@given(st.text())
def test_no_header_breaks_the_reader(header: str) -> None:
    """A hostile header is at worst no link."""
    assert all(isinstance(target, str) for target in links({"link": header}).values())


def test_a_long_hostile_header_is_read_in_no_time() -> None:
    """Nothing in the pattern explodes."""
    assert links({"link": '<a>; rel="' + "; x=y" * 20_000}) == {}
    assert links({"link": "<" * 50_000}) == {}


@pytest.mark.parametrize(
    ("url", "number"),
    [
        (None, None),
        (NEXT, 3),
        ("https://x/?page=", None),
        ("https://x/?page=x", None),
        ("?page=٣", None),
    ],
)
def test_a_page_number_is_read_from_its_url(url: str | None, number: int | None) -> None:
    """Opaque cursors have none."""
    assert page_number(url) == number


def test_a_page_knows_the_numbers_of_its_neighbours() -> None:
    """For results that speak of pages."""
    page = Page(items=(1,), next_url=NEXT, last_url=LAST)
    assert (page.next_page, page.last_page) == (3, 9)
