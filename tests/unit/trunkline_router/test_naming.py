"""Exposed names: safe, short, unique for the most careless client, and the same in any order."""

import itertools
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.catalogue.naming import LONGEST, Claim, Prefix, folded, names_of

SERVERS = st.sampled_from(["twig", "a", "b", "a__x", "wiki"])
NAMES = st.one_of(
    st.sampled_from(["x", "y", "a.b", "a-b", "a_b", "a/b", "b__x", "a__x__x", "x" * 60, "größe"]),
    st.text(min_size=1, max_size=70),
)
OFFERS = st.dictionaries(SERVERS, st.lists(NAMES, unique=True, max_size=6))
PREFIXES = st.sampled_from(["collision", "always", "never"])
SAFE = re.compile(r"[A-Za-z0-9_-]{1,48}")


def claims(offers: dict[str, list[str]]) -> list[Claim]:
    return [
        Claim(server=server, name=name, wish=name, fixed=server == "twig")
        for server, names in offers.items()
        for name in names
    ]


@pytest.mark.requirement("gateway.names")
@given(OFFERS, PREFIXES)
def test_names_are_a_bijection(offers: dict[str, list[str]], prefix: Prefix) -> None:
    """clients.md 9: no two share a name after `-` became `_`, and each name leads to one tool."""
    names = names_of(claims(offers), prefix)
    exposed = [name for name in names.values() if name is not None]
    foreign = {name for (server, _), name in names.items() if server != "twig" and name}
    assert len(exposed) == len(set(exposed))
    assert len({folded(name) for name in foreign}) == len(foreign)
    assert all(SAFE.fullmatch(name) for name in foreign)
    assert set(names) == {(claim.server, claim.name) for claim in claims(offers)}
    if prefix != "never":
        assert None not in names.values()


@pytest.mark.requirement("gateway.names")
@given(OFFERS, PREFIXES, st.randoms(use_true_random=False))
def test_order_decides_nothing(
    offers: dict[str, list[str]], prefix: Prefix, random: Random
) -> None:
    """Servers and their tools may come in any order."""
    ordered = claims(offers)
    shuffled = list(ordered)
    random.shuffle(shuffled)
    assert names_of(shuffled, prefix) == names_of(ordered, prefix)


@given(OFFERS, PREFIXES)
def test_our_own_names_never_change(offers: dict[str, list[str]], prefix: Prefix) -> None:
    """Whatever others are called; ours are unique and safe by themselves."""
    own = [name for name in offers.get("twig", []) if SAFE.fullmatch(name)]
    distinct = list({folded(name): name for name in own}.values())
    names = names_of(claims({**offers, "twig": distinct}), prefix)
    assert all(names["twig", name] == name for name in distinct)


@given(OFFERS)
def test_never_prefixing_loses_only_what_another_has(offers: dict[str, list[str]]) -> None:
    """Within a server nothing is left out."""
    names = names_of(claims(offers), "never")
    for _, own in itertools.groupby(claims(offers), key=lambda claim: claim.server):
        alone = names_of(list(own), "never")
        assert None not in alone.values()
        assert all(identity in names for identity in alone)


@pytest.mark.parametrize(
    ("name", "exposed"),
    [("get.page", "get_page"), ("a/b c", "a_b_c"), ("größe", "gr__e"), ("", "_"), ("ok-1", "ok-1")],
)
def test_a_safe_form_is_readable(name: str, exposed: str) -> None:
    """Other characters become underscores."""
    claim = Claim(server="a", name=name, wish=name)
    assert names_of([claim], "collision") == {("a", name): exposed}


def test_a_long_name_is_cut_and_marked() -> None:
    """Two that begin alike stay apart, and each is the same after a restart."""
    long = [Claim(server="a", name=f"{'x' * 80}{n}", wish=f"{'x' * 80}{n}") for n in range(2)]
    one, two = names_of(long, "collision").values()
    assert one is not None
    assert two is not None
    assert (len(one), len(two)) == (LONGEST, LONGEST)
    assert one != two
    assert list(names_of(long, "collision").values()) == [one, two]


def test_the_operators_name_comes_before_others() -> None:
    """A renamed tool gets the name that it was given; who had it before gives way."""
    taken = Claim(server="a", name="read", wish="read")
    chosen = Claim(server="a", name="zzz", wish="read", chosen=True)
    names = names_of([taken, chosen], "collision")
    assert names["a", "zzz"] == "read"
    assert names["a", "read"] == "a__read"
