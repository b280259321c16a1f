"""Spans counted: nothing twice, and few label sets whatever the spans say."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.trace import SpanKind

from trunkline_router import attributes
from trunkline_router.attributes import OTHER
from trunkline_router.measures import operations as instruments
from trunkline_router.measures.catalogue import CATALOGUE
from trunkline_router.measures.instrument import Distribution, Number
from trunkline_router.span import Attribute, Recorder, Span
from trunkline_router.telemetry.label_sets import MOST
from trunkline_router.telemetry.labels import AGENTS
from trunkline_router.telemetry.operations import Operations
from trunkline_shared.testing.fake_clock import FakeClock

RECORDER = Recorder(clock=FakeClock())
NAMES = (
    "mcp.method.name",
    "gen_ai.tool.name",
    "gen_ai.prompt.name",
    "mcp.protocol.version",
    "error.type",
    "rpc.response.status_code",
    "http.response.status_code",
    "server.address",
    "server.port",
    attributes.SERVER,
    attributes.AGENT,
    attributes.SOURCE,
    attributes.TOKENS_OUT,
)
HOSTILE: st.SearchStrategy[Attribute] = st.one_of(
    st.text(max_size=300),
    st.integers(0, 10**9),
    st.sampled_from(["tools/call", "look", "local", "cache", "-32602", "\x00", '"}\n#', OTHER]),
)


def a_span(attributes: dict[str, Attribute], kind: SpanKind = SpanKind.SERVER) -> Span:
    span = Span("any", kind, None, attributes, RECORDER)
    span.ended = span.started + 0.03
    return span


def called(tool: str, agent: str = "me", more: dict[str, Attribute] | None = None) -> Span:
    given_: dict[str, Attribute] = {"mcp.method.name": "tools/call", "gen_ai.tool.name": tool}
    of = {attributes.SERVER: "github", attributes.AGENT: agent, attributes.SOURCE: "upstream"}
    tokens: dict[str, Attribute] = {attributes.TOKENS_IN: 2, attributes.TOKENS_OUT: 5}
    return a_span(given_ | of | tokens | (more or {}))


def counted(operations: Operations) -> dict[str, Sequence[Number | Distribution]]:
    return {reading.instrument.name: reading.points for reading in operations.readings()}


Told = tuple[dict[str, Attribute], SpanKind]
TOLD = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from(NAMES), HOSTILE).map(
            lambda told: (
                told | {attributes.TOKENS_OUT: 1} if attributes.TOKENS_OUT in told else told
            )
        ),
        st.sampled_from([SpanKind.SERVER, SpanKind.CLIENT, SpanKind.INTERNAL]),
    ),
    max_size=40,
)


@pytest.mark.requirement("seeing.bounded-labels")
@given(TOLD)
def test_each_request_is_in_one_bucket_of_one_label_set(told: list[Told]) -> None:
    """Whatever its attributes say, and however often it is alike."""
    operations, spans = Operations(), [a_span(*one) for one in told]
    operations(spans)
    operations(spans)
    for instrument, kind in (
        (instruments.SERVED, SpanKind.SERVER),
        (instruments.SENT, SpanKind.CLIENT),
    ):
        points = counted(operations)[instrument.name]
        assert all(len(point.labels) == len(instrument.labels) for point in points)
        expected = [
            one for one in spans if one.kind is kind and "mcp.method.name" in one.attributes
        ]
        seen = sum(point.observed for point in points if isinstance(point, Distribution))
        assert seen == 2 * len(expected)


@pytest.mark.requirement("seeing.bounded-labels")
@given(TOLD)
def test_what_only_a_client_says_is_in_no_label(told: list[Told]) -> None:
    """Names count where a server was really asked, versions and codes where they are known."""
    operations = Operations()
    operations([a_span(*one) for one in told if attributes.SERVER not in one[0]])
    closed = {"gen_ai.tool.name", "gen_ai.prompt.name", "mcp.protocol.version", "error.type"}
    known = {"", OTHER, "2026-07-28", "-32602"}
    for reading in operations.readings():
        places = [i for i, name in enumerate(reading.instrument.labels) if name in closed]
        for point in reading.points:
            assert {point.labels[place] for place in places} <= known


@pytest.mark.requirement("seeing.bounded-labels")
def test_label_sets_are_at_most_two_thousand_and_one_for_the_rest() -> None:
    """Even where a server really has so many tools; what is beyond is still counted."""
    operations = Operations()
    many = MOST + 500
    operations([called(f"tool{number}") for number in range(many)] * 2)
    for name in (instruments.SERVED.name, instruments.TOKENS_OUT.name):
        points = counted(operations)[name]
        assert len(points) == MOST + 1
        assert {point.labels for point in points if set(point.labels) == {OTHER}}
    timed = counted(operations)[instruments.SERVED.name]
    assert sum(one.observed for one in timed if isinstance(one, Distribution)) == 2 * many
    read = counted(operations)[instruments.TOKENS_OUT.name]
    assert sum(one.value for one in read if isinstance(one, Number)) == 2 * many * 5


@pytest.mark.requirement("seeing.bounded-labels")
def test_two_hundred_agents_are_known_by_name() -> None:
    """Those who come later are one, and so is whoever has a name that is too long."""
    operations = Operations()
    agents = [f"agent{number}" for number in range(AGENTS + 50)]
    operations([called("look", agent) for agent in ["x" * 500, *agents]])
    rows = {point.labels[0] for point in counted(operations)[instruments.TOKENS_IN.name]}
    assert rows == {OTHER, *agents[:AGENTS]}


@pytest.mark.requirement("seeing.saved-tokens")
def test_what_answers_spared_agents_is_counted_by_why() -> None:
    """Each time that an answer is given."""
    operations = Operations()
    spared: dict[str, Attribute] = {
        attributes.TOKENS_SAVED: 12,
        attributes.SAVED_BY["fields"]: 10, attributes.SAVED_BY["logs"]: 2,
    }  # fmt: skip
    operations([called("look", more=spared), called("look", more=spared), called("look")])
    points = counted(operations)[instruments.TOKENS_SAVED.name]
    assert {point.labels[0]: point.value for point in points if isinstance(point, Number)} == {
        "fields": 20, "truncation": 0, "logs": 4
    }  # fmt: skip


def test_a_clock_that_was_set_back_takes_nothing_away() -> None:
    """Such a request took no time."""
    span = called("look")
    span.ended = span.started - 3600
    operations = Operations()
    operations([span])
    (point,) = counted(operations)[instruments.SERVED.name]
    assert isinstance(point, Distribution)
    assert (point.total, point.counts[0]) == (0.0, 1)


def test_instruments_have_one_name_each_and_bounds_where_they_need_them() -> None:
    """What a collector and Prometheus take for granted."""
    names = [instrument.name for instrument in CATALOGUE]
    assert len(names) == len(set(names))
    for instrument in CATALOGUE:
        assert instrument.description.endswith(".")
        assert bool(instrument.bounds) == (instrument.kind.value == "histogram")
