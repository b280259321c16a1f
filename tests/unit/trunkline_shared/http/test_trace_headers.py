"""What vendors are told of traces: the span of each request that they get, and nothing besides."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

import pytest
from opentelemetry import baggage, context, trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, TraceState

from tests.unit.trunkline_shared.http.scripted import Answer, Seen, json, vendor
from trunkline_shared.http.client import HttpClient, open_http
from trunkline_shared.http.outgoing import Outgoing
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

TRACE = 0xABCDEF


@asynccontextmanager
async def traced() -> AsyncIterator[tuple[HttpClient, InMemorySpanExporter]]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    async with open_http(FakeClock()) as opened:
        yield replace(opened, tracer=provider.get_tracer("test")), exporter


@contextmanager
def call(flags: int = TraceFlags.SAMPLED) -> Iterator[None]:
    """Make a client's span the ambient one, with all that may come along with it."""
    about = SpanContext(
        TRACE,
        7,
        is_remote=True,
        trace_flags=TraceFlags(flags),
        trace_state=TraceState([("a", "b")]),
    )
    told = baggage.set_baggage("user", "somebody")
    token = context.attach(trace.set_span_in_context(NonRecordingSpan(about), told))
    try:
        yield
    finally:
        context.detach(token)


def get(url: str) -> Outgoing:
    return Outgoing(method="GET", url=url, template="/x")


def told(seen: Sequence[Seen]) -> list[str]:
    return [one.headers["traceparent"] for one in seen]


def expected(spans: Sequence[ReadableSpan]) -> list[str]:
    contexts = [span.context for span in spans if span.context is not None]
    return [f"00-{one.trace_id:032x}-{one.span_id:016x}-01" for one in contexts]


@pytest.mark.requirement("seeing.vendors-traced")
async def test_each_request_names_its_own_span() -> None:
    """Also one that is sent again: each attempt has a span, and the vendor can tell them apart."""
    async with vendor(Answer(status=503), json(1)) as there, traced() as (http, spans):
        with call():
            await http.send(get(there.url))
            await http.send(replace(get(there.url), resend=1))
    assert told(there.seen) == expected(spans.get_finished_spans())
    assert len(set(told(there.seen))) == 2
    assert all(f"-{TRACE:032x}-" in one for one in told(there.seen))


@pytest.mark.requirement("seeing.vendors-traced")
async def test_the_host_behind_a_redirection_is_told_as_well() -> None:
    """A log's host gets the span of the request that it answers."""
    async with vendor(json("log")) as store:
        moved = Answer(status=302, headers={"Location": f"{store.url}/log?sig=x"}, body=b"")
        async with vendor(moved) as there, traced() as (http, spans):
            with call():
                await http.send(get(there.url))
    assert [*told(there.seen), *told(store.seen)] == expected(spans.get_finished_spans())


@pytest.mark.requirement("seeing.vendors-traced")
async def test_neither_baggage_nor_trace_state_reaches_a_vendor() -> None:
    """What a client says of itself is for the mesh."""
    async with vendor() as there, traced() as (http, _):
        with call():
            await http.send(get(there.url))
    assert not {"baggage", "tracestate"} & there.seen[0].headers.keys()


async def test_a_trace_that_is_not_recorded_is_told_as_such() -> None:
    """The flag of the one who asked is passed on."""
    async with vendor() as there, traced() as (http, spans):
        with call(flags=0):
            await http.send(get(there.url))
    assert told(there.seen)[0].endswith("-00")
    assert not spans.get_finished_spans()


async def test_what_is_left_of_a_quota_stands_on_the_span() -> None:
    """As far as the vendor tells it, and a 304 is seen by its status."""
    async with (
        vendor(
            Answer(status=304, headers={"X-RateLimit-Remaining": "4999"}),
            json(1, X_RateLimit_Remaining="many"),
        ) as there,
        traced() as (http, spans),
    ):
        await http.send(get(there.url))
        await http.send(get(there.url))
    known, unknown = [span.attributes or {} for span in spans.get_finished_spans()]
    assert known["http.response.status_code"] == 304
    assert known["trunkline.quota.remaining"] == 4999
    assert "trunkline.quota.remaining" not in unknown
