"""A catalog cut to its budget: everybody's share, and nothing uncounted."""

from hypothesis import given
from hypothesis import strategies as st

from trunkline_bridge.capability.bounding import KINDS, MOST_SERVERS, bounded, shares
from trunkline_bridge.capability.catalog import NamedEntry, ServerEntry, ToolEntry

SIZES = st.lists(st.integers(min_value=0, max_value=10_000), max_size=20)


def server(name: str, tools: int, prompts: int = 0, size: int = 10) -> ServerEntry:
    """Return a server with so many entries."""
    return ServerEntry(
        name=name,
        description="",
        available=True,
        state="closed",
        tools=tuple(ToolEntry(name=f"t{at}", description="x" * size) for at in range(tools)),
        prompts=tuple(NamedEntry(name=f"p{at}") for at in range(prompts)),
    )


@given(sizes=SIZES, total=st.integers(min_value=0, max_value=100_000))
def test_shares_give_the_small_all_and_the_rest_alike(sizes: list[int], total: int) -> None:
    """Never more than there is, and nobody less than a larger one that is cut."""
    given_ = shares(sizes, total)
    assert sum(given_) <= max(total, 0)
    assert all(got <= size for got, size in zip(given_, sizes, strict=True))
    if sum(sizes) <= total:
        assert given_ == sizes
    least = min((got for got, size in zip(given_, sizes, strict=True) if got < size), default=None)
    if least is not None:
        assert all(got >= min(least, size) for got, size in zip(given_, sizes, strict=True))


@given(
    counts=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 5)), max_size=8),
    size=st.integers(0, 500),
    budget=st.integers(3000, 50_000),
)
def test_what_is_left_out_is_counted(counts: list[tuple[int, int]], size: int, budget: int) -> None:
    """Kept and left out make the whole; the answer is about the budget at the most."""
    servers = [server(f"s{at}", *many, size) for at, many in enumerate(counts)]
    found = bounded(servers, budget)
    assert [one.name for one in found.servers] == [one.name for one in servers]
    for kept, whole in zip(found.servers, servers, strict=True):
        for kind in KINDS:
            assert len(getattr(kept, kind)) + kept.left_out.get(kind, 0) == len(
                getattr(whole, kind)
            )
    assert (found.note is None) == (not any(one.left_out for one in found.servers))
    sent = sum(len(one.model_dump_json(exclude_defaults=True)) for one in found.servers)
    assert sent <= budget + 80 * len(servers)


def test_beyond_so_many_servers_the_rest_is_a_number() -> None:
    """The same ones each time: the first by their order."""
    found = bounded([server(f"s{at:03}", 0) for at in range(MOST_SERVERS + 5)])
    assert (len(found.servers), found.left_out) == (MOST_SERVERS, 5)
    assert found.to_json()["left_out"] == 5
