"""Spans of what a server asks Redis."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from tests.redis_process import RedisProcess
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.port import Rhythm, Wish
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.store import Store, in_process_store
from trunkline_shared.store.traced import traced

pytestmark = pytest.mark.anyio

KEY, VALUE = "a-secret-key", b"a-secret-value"


@asynccontextmanager
async def opened(settings: StoreSettings) -> AsyncIterator[tuple[Store, InMemorySpanExporter]]:
    """Open a store with spans that can be read."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    async with open_store(settings) as store:
        yield traced(store, provider.get_tracer("test")), exporter


def operations(spans: tuple[ReadableSpan, ...]) -> list[object]:
    return [(span.attributes or {})["db.operation.name"] for span in spans]


@pytest.mark.requirement("seeing.servers-store")
async def test_each_question_to_redis_is_a_span_without_its_key(
    redis_process: RedisProcess,
) -> None:
    """Answers, turns and records: what was asked stands there, and never of what."""
    async with opened(redis_process.settings) as (store, exporter):
        assert store.answers is not None
        await store.answers.put(KEY, VALUE, ttl_s=60)
        assert await store.answers.get(KEY) == VALUE
        await store.answers.drop(KEY)
        await store.turns.reserve(Wish(key=KEY, rhythm=Rhythm(interval_s=1), latest_s=5))
        async with store.records.held(KEY, wait_s=1) as record:
            await record.write(VALUE)
            assert await record.read() == VALUE
        assert await store.records.read(KEY) == VALUE
    spans = exporter.get_finished_spans()
    assert operations(spans) == ["SET", "GET", "DEL", *["EVALSHA"] * 3, "GET", "GET"]
    assert {span.kind for span in spans} == {SpanKind.CLIENT}
    assert {(span.attributes or {})["db.system.name"] for span in spans} == {"redis"}
    shown = "".join(span.to_json() for span in spans)
    assert KEY not in shown
    assert VALUE.decode() not in shown


@pytest.mark.requirement("seeing.servers-store")
async def test_a_redis_that_is_away_is_seen_in_the_trace() -> None:
    """By the code of the failure, and nothing of where it is."""
    settings = StoreSettings.model_validate({"redis_url": "redis://:s3cret@127.0.0.1:9/0"})
    async with opened(settings) as (store, exporter):
        assert store.answers is not None
        with suppress(UpstreamUnavailable):
            await store.answers.get(KEY)
    (span,) = exporter.get_finished_spans()
    assert (span.attributes or {})["error.type"] == "UPSTREAM_UNAVAILABLE"
    assert "s3cret" not in span.to_json()


async def test_what_stays_in_the_process_is_no_step_of_a_trace() -> None:
    """Without Redis there is nothing to wait for."""
    store = in_process_store()
    assert traced(store) is store
