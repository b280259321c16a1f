"""Spans that wait for a collector: what finds no room is counted, to the last one."""

import threading
from collections.abc import Sequence

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from trunkline_shared.telemetry import dropped_spans
from trunkline_shared.telemetry.counted_queue import CountedQueue
from trunkline_shared.telemetry.outage import Outage, Watched

SIZE = 600
BATCH = 512
"""The SDK's default."""


class Collector(SpanExporter):
    """Takes a batch, and hangs until the test lets it go on."""

    def __init__(self, result: SpanExportResult) -> None:
        self.begun, self.free = threading.Event(), threading.Event()
        self.result = result
        self.sent = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.begun.set()
        assert self.free.wait(5)
        self.sent += len(spans)
        return self.result

    def shutdown(self) -> None:
        """Nothing is held."""


def work(provider: TracerProvider, times: int) -> None:
    for _ in range(times):
        provider.get_tracer("test").start_span("work").end()


@pytest.mark.requirement("seeing.counters")
@pytest.mark.parametrize("result", list(SpanExportResult))
def test_what_finds_no_room_while_a_collector_hangs_is_counted(result: SpanExportResult) -> None:
    """Each span is sent or counted; what the collector then refuses is counted as well."""
    before = dropped_spans()
    collector = Collector(result)
    queue = CountedQueue(Watched(exporter=collector, outage=Outage(where="it")), SIZE)
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(queue)
    work(provider, BATCH)
    assert collector.begun.wait(5)
    work(provider, SIZE + 100)
    assert dropped_spans() - before == 100
    collector.free.set()
    provider.shutdown()
    assert collector.sent == BATCH + SIZE
    refused = 0 if result is SpanExportResult.SUCCESS else BATCH + SIZE
    assert dropped_spans() - before == 100 + refused
