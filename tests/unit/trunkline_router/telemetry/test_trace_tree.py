"""Spans stand beneath their parents, each once, whatever their parents are said to be."""

from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.trace import SpanKind

from trunkline_router.telemetry.seen_span import SeenSpan
from trunkline_router.telemetry.trace_tree import placed


def span(id_: int, parent: int = 0, started: float = 0.0) -> SeenSpan:
    """Return a span of which only its place matters."""
    return SeenSpan(1, id_, parent, "x", SpanKind.INTERNAL, "s", started, started + 1, "", {})


def order(*spans: SeenSpan) -> list[tuple[int, bool]]:
    """Return the ids as they are placed, and whether each is a root."""
    return [(one.span.span_id, one.is_root) for one in placed(spans)]


def test_children_stand_beneath_their_parents_by_their_beginning() -> None:
    """A grandchild before its parent's younger sister."""
    spans = span(1), span(4, 1, 3), span(2, 1, 1), span(3, 2, 2)
    assert order(*reversed(spans)) == [(1, True), (2, False), (3, False), (4, False)]


def test_a_span_whose_parent_is_not_there_is_a_root() -> None:
    """The client's own span is seldom here."""
    assert order(span(2, 99, 1), span(1, 98)) == [(1, True), (2, True)]


def test_a_circle_is_cut_where_it_begins() -> None:
    """And a span that is its own parent is a root."""
    assert order(span(1, 2, 1), span(2, 1, 0)) == [(2, True), (1, False)]
    assert order(span(1, 1)) == [(1, True)]


@given(
    st.dictionaries(
        st.integers(1, 12), st.tuples(st.integers(0, 14), st.integers(0, 5)), max_size=12
    )
)
def test_each_span_is_placed_once_and_after_its_parent(spans: dict[int, tuple[int, int]]) -> None:
    """Whatever points to whatever."""
    told = order(*(span(id_, parent, at) for id_, (parent, at) in spans.items()))
    places = {id_: place for place, (id_, _) in enumerate(told)}
    assert sorted(places) == sorted(spans)
    assert len(told) == len(spans)
    for id_, is_root in told:
        assert is_root or places[spans[id_][0]] < places[id_]
