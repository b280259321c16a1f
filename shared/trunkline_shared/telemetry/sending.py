"""What is sent of spans: all that we say, and nothing that the MCP SDK quotes.

The SDK writes the message of a failure on its span, and the exception with its stack for one that
nobody expected. Both may hold what an agent has asked for; the error's type and code stay.
"""

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status

_QUOTING = "mcp-python-sdk"


class Sending(BatchSpanProcessor):
    """Sends spans many at a time, those of the SDK without quotations."""

    def on_end(self, span: ReadableSpan) -> None:
        super().on_end(without_quotations(span))


def without_quotations(span: ReadableSpan) -> ReadableSpan:
    """Return a span as it may leave the process."""
    scope = span.instrumentation_scope
    if scope is None or scope.name != _QUOTING or not (span.status.description or span.events):
        return span
    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=span.attributes,
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=scope,
    )
