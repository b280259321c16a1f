"""One CLIENT span per HTTP request, after OpenTelemetry's HTTP conventions.

https://opentelemetry.io/docs/specs/semconv/http/http-spans/ . The full URL is left out on purpose:
its query may be signed, and its path holds a call's arguments.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.util.types import AttributeValue
from yarl import URL

from trunkline_shared.errors import TrunklineError
from trunkline_shared.exchange import Response
from trunkline_shared.http.outgoing import Outgoing

log = logging.getLogger(__name__)

_FIRST_FAILURE = 400
_QUOTA_LEFT = "x-ratelimit-remaining"
"""What GitHub and Jira call it; Basecamp does not tell."""


@contextmanager
def exchange_span(tracer: trace.Tracer, request: Outgoing) -> Iterator[Span]:
    """Trace the block as the exchange of `request`; a failure is noted by its code alone."""
    name = f"{request.method} {request.template}".rstrip()
    with tracer.start_as_current_span(
        name,
        kind=SpanKind.CLIENT,
        attributes=_asked(request),
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
            log.debug("%s was answered", name)
        except TrunklineError as error:
            log.debug("%s failed: %s", name, error.code)
            span.set_attribute("error.type", error.code)
            span.set_status(Status(StatusCode.ERROR, error.code))
            raise


def with_trace(request: Outgoing, span: Span) -> Outgoing:
    """Return the request with the W3C header that makes the vendor's work a child of the span.

    Nothing else goes along: a client's baggage and trace state are not for vendors.
    """
    context = span.get_span_context()
    if not context.is_valid:
        return request
    trace_id = trace.format_trace_id(context.trace_id)
    span_id = trace.format_span_id(context.span_id)
    traceparent = f"00-{trace_id}-{span_id}-{context.trace_flags:02x}"
    return replace(request, headers={**request.headers, "traceparent": traceparent})


def note_answer(span: Span, response: Response, size: int) -> None:
    """Add what came back, with the bytes of its body after decompression."""
    span.set_attribute("http.response.status_code", response.status)
    span.set_attribute("http.response.body.size", size)
    if request_id := response.headers.get("x-github-request-id"):
        span.set_attribute("trunkline.upstream.request_id", request_id)
    left = response.headers.get(_QUOTA_LEFT, "")
    if left.isascii() and left.isdigit():
        span.set_attribute("trunkline.quota.remaining", int(left))
    if response.status >= _FIRST_FAILURE:
        span.set_attribute("error.type", str(response.status))
        span.set_status(Status(StatusCode.ERROR))


def _asked(request: Outgoing) -> dict[str, AttributeValue]:
    url = URL(request.url)
    known: dict[str, AttributeValue] = {
        "http.request.method": request.method,
        "network.protocol.version": "1.1",
        "server.address": url.host or "",
        "server.port": url.port or 0,
        "url.scheme": url.scheme,
        "url.template": request.template,
    }
    if request.resend:
        known["http.request.resend_count"] = request.resend
    return known
