"""Nothing that an agent has asked for leaves the process on a span."""

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from trunkline_shared.telemetry.sending import Sending

ASKED = "a-branch-that-nobody-may-know-of"


def sent(scope: str) -> ReadableSpan:
    """Return a span of a failure that quotes what was asked for, as an exporter gets it."""
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(Sending(exporter))
    tracer = provider.get_tracer(scope)
    with tracer.start_as_current_span(
        "resources/read", kind=SpanKind.SERVER, attributes={"error.type": "-32602"}
    ) as span:
        span.record_exception(ValueError(f"no branch {ASKED}"))
        span.set_status(StatusCode.ERROR, f"Unknown resource: {ASKED}")
    provider.shutdown()
    (arrived,) = exporter.get_finished_spans()
    return arrived


@pytest.mark.requirement("seeing.no-quotations")
def test_what_the_sdk_quotes_of_a_failure_is_not_sent() -> None:
    """Its kind, its type and its place in the trace are."""
    span = sent("mcp-python-sdk")
    assert ASKED not in span.to_json()
    assert (span.name, span.kind) == ("resources/read", SpanKind.SERVER)
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, None)
    assert dict(span.attributes or {}) == {"error.type": "-32602"}
    assert span.context is not None
    assert span.context.is_valid
    assert span.start_time
    assert span.end_time


def test_what_we_say_ourselves_is_sent_as_it_is() -> None:
    """Ours are codes."""
    assert sent("trunkline_shared.http").status.description
