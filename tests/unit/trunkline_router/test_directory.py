"""Merging listings: names, owners, order."""

import itertools
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.catalogue.directory import Directory, Listing, merge
from trunkline_router.catalogue.listing import read_listing
from trunkline_router.model import Json

OFFERS = st.dictionaries(
    st.sampled_from(["twig", "a", "b", "a__x"]),
    st.lists(st.sampled_from(["x", "y", "b__x", "a__x__x"]), unique=True, max_size=4),
)


def listing(server: str, *tools: str, **more: Sequence[Mapping[str, object]]) -> Listing:
    pages: dict[str, list[Json]] = {"tools": [{"tools": [{"name": name} for name in tools]}]}
    pages.update({key: [{key: list(items)}] for key, items in more.items()})
    return read_listing(server, {}, pages, 0.0)


def owners(directory: Directory) -> dict[str, tuple[str, str]]:
    return {exposed: (t.server, t.name) for exposed, t in directory.tools.items()}


@given(OFFERS)
def test_every_tool_has_one_name_whatever_the_order(offers: dict[str, list[str]]) -> None:
    """No name is lost, none is given twice, and reordering the configuration changes none."""
    listings = [listing(server, *tools) for server, tools in offers.items()]
    first = owners(merge(listings, (), frozenset({"twig"})))
    assert len(first) == sum(map(len, offers.values()))
    for name in offers.get("twig", ()):
        assert first[name] == ("twig", name)
    for order in itertools.islice(itertools.permutations(listings), 6):
        assert owners(merge(order, (), frozenset({"twig"}))) == first


def test_the_first_owner_keeps_a_resource() -> None:
    """One URI is listed once and read from one server."""
    both = [{"uri": "x://1", "name": "r"}]
    merged = merge([listing("b", resources=both), listing("a", resources=both)], (), frozenset())
    assert merged.owner_of("x://1") == "a"
    assert len(merged.items["resources"]) == 1


@pytest.mark.parametrize(
    ("uri", "owner"),
    [("x://7", "a"), ("y://7/tail", "b"), ("x://7/8", None), ("z://", None), ("", None)],
)
def test_templates_find_the_owner(uri: str, owner: str | None) -> None:
    """RFC 6570 variables match one segment."""
    merged = merge(
        [
            listing("a", resourceTemplates=[{"uriTemplate": "x://{id}", "name": "t"}]),
            listing("b", resourceTemplates=[{"uriTemplate": "y://{id}/tail", "name": "t"}]),
            listing("c", resourceTemplates=[{"uriTemplate": "{{{", "name": "broken"}]),
        ],
        (),
        frozenset(),
    )
    assert merged.owner_of(uri) == owner
    assert merged.owner_of_template("x://{id}") == "a"
    assert merged.owner_of_template("x://{other}") is None


def test_nothing_known_is_private_and_stale() -> None:
    """An empty directory promises nothing."""
    empty = merge([], ["a"], frozenset())
    assert (empty.public, empty.expires, dict(empty.tools)) == (False, 0.0, {})
