"""Pages of lists that stand beside their number."""

import pytest

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.exchange import Response
from trunkline_shared.github.check_models import Suite
from trunkline_shared.github.reading import counted_page

read = counted_page(Suite, "suites")


def answered(body: bytes, **headers: str) -> Response:
    """An answer with this body."""
    return Response(status=200, headers=headers, body=body, url="https://api.github.com/x")


def test_items_number_and_links_are_read() -> None:
    """The list, how many there are on all pages, and where it goes on."""
    link = '<https://api.github.com/x?page=2>; rel="next"'
    page = read(answered(b'{"total_count": 3, "suites": [{"id": 1}]}', link=link))
    assert (page.items, page.total_count, page.next_page) == ((Suite(id=1),), 3, 2)


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"total_count": 1}', b'{"suites": 1}', b"<html>"])
def test_what_is_no_such_list_is_an_upstream_failure(body: bytes) -> None:
    """Never an empty list: that would look like the end of the data."""
    with pytest.raises(UpstreamUnavailable):
        read(answered(body))
