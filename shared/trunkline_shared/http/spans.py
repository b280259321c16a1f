"""One CLIENT span per HTTP request, after OpenTelemetry's HTTP conventions.

https://opentelemetry.io/docs/specs/semconv/http/http-spans/ . The full URL is left out on purpose:
its query may be signed.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.util.types import AttributeValue
from yarl import URL

from trunkline_shared.errors import TrunklineError
from trunkline_shared.exchange import Response
from trunkline_shared.http.outgoing import Outgoing

_FIRST_FAILURE = 400


@contextmanager
def exchange_span(tracer: trace.Tracer, request: Outgoing) -> Iterator[Span]:
    """Trace the block as the exchange of `request`; a failure is noted by its code alone."""
    with tracer.start_as_current_span(
        f"{request.method} {request.template}".rstrip(),
        kind=SpanKind.CLIENT,
        attributes=_asked(request),
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except TrunklineError as error:
            span.set_attribute("error.type", error.code)
            span.set_status(Status(StatusCode.ERROR, error.code))
            raise


def note_answer(span: Span, response: Response, size: int) -> None:
    """Add what came back, with the bytes of its body after decompression."""
    span.set_attribute("http.response.status_code", response.status)
    span.set_attribute("http.response.body.size", size)
    if request_id := response.headers.get("x-github-request-id"):
        span.set_attribute("trunkline.upstream.request_id", request_id)
    if response.status >= _FIRST_FAILURE:
        span.set_attribute("error.type", str(response.status))
        span.set_status(Status(StatusCode.ERROR))


def _asked(request: Outgoing) -> dict[str, AttributeValue]:
    url = URL(request.url)
    known: dict[str, AttributeValue] = {
        "http.request.method": request.method,
        "server.address": url.host or "",
        "server.port": url.port or 0,
        "url.scheme": url.scheme,
        "url.template": request.template,
    }
    if request.resend:
        known["http.request.resend_count"] = request.resend
    return known
