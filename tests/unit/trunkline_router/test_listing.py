"""Reading what servers say about themselves."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.catalogue.listing import offered, read_listing
from trunkline_router.model import Json
from trunkline_router.wire.answer import success

ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([
                "name",
                "uri",
                "tools",
                "capabilities",
                "_meta",
                "ttlMs",
                "inputSchema",
            ]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)
OBJECT = st.dictionaries(
    st.sampled_from(["tools", "prompts", "resources", "capabilities", "instructions", "ttlMs"]), ANY
)


@given(OBJECT, OBJECT)
def test_any_answer_makes_a_listing(discovered: Json, page: Json) -> None:
    """A server that talks nonsense has an empty listing, and nobody else is hurt."""
    lists = {key: [page] for key in ("tools", "prompts", "resources", "resourceTemplates")}
    listing = read_listing("a", discovered, lists, 10.0)
    assert listing.expires >= 10.0
    assert all(tool.server == "a" for tool in listing.tools)
    offered(discovered)


def test_doubled_and_nameless_entries_are_left_out() -> None:
    """The first of a name counts."""
    page: Json = {"tools": [{"name": "x"}, {"name": "x"}, {}, 7]}
    read = read_listing("a", {}, {"tools": [page]}, 0.0)
    assert [tool.name for tool in read.tools] == ["x"]


@pytest.mark.parametrize("levels", range(200, 260))
def test_what_is_listed_can_be_sent_in_any_answer(levels: int) -> None:
    """An entry that can be written alone, and not within an answer, would spoil all others'."""
    schema: Json = {}
    for _ in range(levels):
        schema = {"properties": schema}
    page: Json = {"tools": [{"name": "deep", "inputSchema": schema}, {"name": "good"}]}
    read = read_listing("a", {}, {"tools": [page]}, 0.0)
    assert "good" in [tool.name for tool in read.tools]
    found: Json = {"tools": [tool.definition for tool in read.tools]}
    answer = success(1, {"structuredContent": found})
    assert "error" not in orjson.loads(answer.to_bytes())


def test_a_tool_whose_headers_cannot_be_trusted_is_left_out() -> None:
    """The specification has clients drop it."""
    schema = {"type": "object", "properties": {"x": {"type": "number", "x-mcp-header": "X"}}}
    page: Json = {"tools": [{"name": "bad", "inputSchema": schema}, {"name": "good"}]}
    read = read_listing("a", {}, {"tools": [page]}, 0.0)
    assert [tool.name for tool in read.tools] == ["good"]


def test_policy_and_effect_are_read_and_bad_ones_fall_back() -> None:
    """A tool without a readable policy counts as a write that may take the usual time."""
    policy = {"timeout_s": 5, "reads": {"ttl_s": 3}}
    tools = [
        {
            "name": "good",
            "annotations": {"readOnlyHint": True},
            "_meta": {"dev.trunkline/policy": policy},
        },
        {"name": "bad", "_meta": {"dev.trunkline/policy": {"timeout_s": "soon"}}},
    ]
    good, bad = read_listing("a", {}, {"tools": [{"tools": tools}]}, 0.0).tools
    assert (good.policy.timeout_s, good.writes) == (5, False)
    assert (bad.policy.timeout_s, bad.writes) == (30, True)
    assert good.digest != bad.digest


def test_a_listing_holds_as_long_as_its_shortest_page() -> None:
    """Missing hints count as none, private parts make it private."""
    hints: Json = {"ttlMs": 9000, "cacheScope": "public"}
    both = read_listing("a", hints, {"tools": [hints, hints | {"ttlMs": 4000}]}, 100.0)
    assert (both.expires, both.public) == (104.0, True)
    bare = read_listing("a", hints, {"tools": [{}]}, 100.0)
    assert (bare.expires, bare.public) == (100.0, False)
