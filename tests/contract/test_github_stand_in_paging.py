"""Pages of lists and the links between them."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.caller import Caller, Reply
from trunkline_shared.testing.github import Demo
from trunkline_shared.testing.github.demo import BEGIN
from trunkline_shared.testing.github.paging import relations

pytestmark = pytest.mark.anyio

LIST = "/repos/acme/widgets/issues/1/comments"
ALL = 38


def links(reply: Reply) -> dict[str, str]:
    """Return the targets of a `Link` header by relation."""
    return {
        rel: target
        for target, rel in re.findall(r'<([^>]+)>; rel="(\w+)"', reply.headers.get("Link", ""))
    }


async def test_pages_hold_thirty_by_default_and_a_hundred_at_most(writer: Caller) -> None:
    """per_page is 30 unless given, and more than 100 is 100."""
    assert len((await writer.ask("GET", LIST)).json) == 30
    assert len((await writer.ask("GET", f"{LIST}?per_page=1000")).json) == ALL
    for nonsense in ("0", "-1", "many"):
        assert len((await writer.ask("GET", f"{LIST}?per_page={nonsense}")).json) == 30


async def test_a_hundred_is_the_most(writer: Caller, demo: Demo) -> None:
    """A list of 101 needs two pages however much is asked for."""
    for number in range(ALL, 101):
        demo.issue.add_comment(str(number), demo.token.user)
    reply = await writer.ask("GET", f"{LIST}?per_page=500")
    assert len(reply.json) == 100
    assert links(reply)["next"].endswith("per_page=500&page=2")


async def test_following_next_reads_everything_once_in_order(writer: Caller) -> None:
    """The links lead through all pages and end, oldest first."""
    seen: list[int] = []
    url = f"{LIST}?per_page=7"
    while url:
        reply = await writer.ask("GET", url)
        seen += [comment["id"] for comment in reply.json]
        url = links(reply).get("next", "")
    assert len(seen) == ALL
    assert seen == sorted(seen)


async def test_each_page_links_to_its_neighbours_and_both_ends(writer: Caller) -> None:
    """first and prev are missing on the first page, next and last on the last."""
    relations_of = {}
    for page in (1, 2, 4):
        found = links(await writer.ask("GET", f"{LIST}?per_page=10&page={page}"))
        relations_of[page] = {rel: target.rpartition("=")[2] for rel, target in found.items()}
    assert relations_of == {
        1: {"next": "2", "last": "4"},
        2: {"prev": "1", "next": "3", "last": "4", "first": "1"},
        4: {"prev": "3", "first": "1"},
    }


async def test_a_page_beyond_the_end_is_empty_and_leads_back(writer: Caller) -> None:
    """There is no next; prev is the last page that has something."""
    reply = await writer.ask("GET", f"{LIST}?per_page=10&page=9")
    assert reply.json == []
    assert {rel: target.rpartition("=")[2] for rel, target in links(reply).items()} == {
        "prev": "4",
        "first": "1",
    }


async def test_a_list_of_one_page_has_no_links(writer: Caller) -> None:
    """No Link header at all when there is nowhere to go."""
    assert "Link" not in (await writer.ask("GET", f"{LIST}?per_page=100")).headers


async def test_since_looks_at_the_last_change(writer: Caller, demo: Demo) -> None:
    """An old comment that was edited is in, an old one that was not is out; links keep it."""
    since = BEGIN + timedelta(hours=41)
    query = f"since={since:%Y-%m-%dT%H:%M:%SZ}&per_page=1"
    demo.issue.comments[0].updated_at = datetime(2023, 11, 1, tzinfo=UTC)
    reply = await writer.ask("GET", f"{LIST}?{query}")
    assert [one["id"] for one in reply.json] == [demo.issue.comments[0].id]
    assert "since=2023-10-04T02%3A00%3A00Z" in links(reply)["last"]
    assert links(reply)["last"].endswith("page=4")
    assert (await writer.ask("GET", f"{LIST}?since=yesterday")).status == 422


@given(page=st.integers(1, 50), last=st.integers(1, 50))
def test_links_never_lead_out_of_the_list(page: int, last: int) -> None:
    """Whatever page is asked for, every link is between 1 and the last page."""
    found = dict(relations(page, last))
    assert all(1 <= number <= last for number in found.values())
    assert ("next" in found) == (page < last) == ("last" in found)
    assert ("prev" in found) == (page > 1) == ("first" in found)
