"""Pages of a list: every entry once, in any list that stays, and no way to make a cursor up."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.catalogue.paging import Pages
from trunkline_router.context import Context
from trunkline_router.model import Era, Json, Request, Unheard
from trunkline_router.view import View
from trunkline_router.wire.refusal import Refused
from trunkline_shared.cursor import Cursors
from trunkline_shared.signing import SigningKeys

CURSORS = Cursors(SigningKeys((b"k" * 32,)))


def pages(length: int | None, cursors: Cursors | None = CURSORS) -> Pages:
    return Pages(cursors=cursors, length=lambda: length)


def request(cursor: object = None, view: View | None = None) -> Request:
    params: Json = {} if cursor is None else {"cursor": cursor}
    return Request(
        id=1,
        method="tools/list",
        params=params,
        era=Era.MODERN,
        channel=Unheard(),
        received=0.0,
        view=view or View(),
    )


def read_all(cut: Pages, entries: list[Json], key: str = "tools") -> list[object]:
    seen: list[object] = []
    cursor: object = None
    while True:
        page = cut.page(request(cursor), key, entries)
        found = page[key]
        assert isinstance(found, list)
        assert found or not entries
        seen += found
        cursor = page.get("nextCursor")
        if cursor is None:
            return seen


@pytest.mark.requirement("gateway.pages")
@given(st.lists(st.text(max_size=5), unique=True, max_size=30), st.integers(1, 10))
def test_every_entry_comes_once(names: list[str], length: int) -> None:
    """In order, in pages of any length."""
    entries: list[Json] = [{"name": name} for name in names]
    assert read_all(pages(length), entries) == entries


@pytest.mark.requirement("gateway.pages")
@given(st.lists(st.integers(0, 20), unique=True, min_size=3), st.sets(st.integers(0, 20)))
def test_what_stays_is_not_left_out(names: list[int], gone: set[int]) -> None:
    """Between two pages entries go: what was there all the time is seen."""
    entries: list[Json] = [{"name": str(name)} for name in names]
    first = pages(2).page(request(), "tools", entries)
    left = [each for each in entries if int(str(each["name"])) not in gone]
    rest = pages(len(entries)).page(request(first["nextCursor"]), "tools", left)
    seen = [*entries[:2], *_listed(rest)]
    assert all(each in seen for each in left) or str(entries[1]["name"]) not in {
        str(each["name"]) for each in left
    }


def _listed(page: Json) -> list[Json]:
    found = page["tools"]
    assert isinstance(found, list)
    return found


def test_entries_of_one_name_do_not_make_a_circle() -> None:
    """Two servers may have a template of the same text."""
    entries: list[Json] = [{"uriTemplate": f"x://{n % 2}"} for n in range(7)]
    assert read_all(pages(2), entries, "resourceTemplates") == entries


def test_a_list_that_shrank_ends() -> None:
    """A cursor beyond the end gives the last page, empty."""
    entries: list[Json] = [{"name": str(n)} for n in range(9)]
    last = pages(8).page(request(), "tools", entries)["nextCursor"]
    page = pages(8).page(request(last), "tools", entries[:3])
    assert page == {"tools": []}


@pytest.mark.requirement("gateway.pages")
@given(st.one_of(st.text(), st.integers(), st.binary().map(repr), st.lists(st.none())))
def test_a_cursor_that_we_did_not_give_is_refused(cursor: object) -> None:
    """-32602, whatever it is; nothing begins anew by accident."""
    if cursor == "":
        return
    with pytest.raises(Refused) as refused:
        pages(2).page(request(cursor), "tools", [])
    assert refused.value.code == -32602


@pytest.mark.requirement("gateway.pages")
def test_a_cursor_is_for_its_own_list() -> None:
    """Not for another method, server or context, nor for keys that we do not have."""
    entries: list[Json] = [{"name": str(n)} for n in range(9)]
    cursor = pages(2).page(request(), "tools", entries)["nextCursor"]
    other = Cursors(SigningKeys((b"o" * 32,)))
    bound = View(context=Context.of([("owner", "acme")]))
    for cut, key, view in (
        (pages(2), "prompts", View()),
        (pages(2), "tools", View(scope="a")),
        (pages(2), "tools", bound),
        (pages(2, other), "tools", View()),
        (pages(None), "tools", View()),
    ):
        with pytest.raises(Refused):
            cut.page(replace(request(cursor), view=view), key, entries)
