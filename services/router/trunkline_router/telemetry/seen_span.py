"""A span as those see it who look at traces, whoever recorded it: plain values, and frozen."""

from collections.abc import Mapping
from typing import NamedTuple

from opentelemetry.trace import SpanKind

from trunkline_router.attributes import ERROR
from trunkline_router.span import Attribute, Span

OWN_SERVICE = "router"


class SeenSpan(NamedTuple):
    """Times are seconds since the epoch; `parent_id` is 0 without a parent.

    `service` names whoever recorded it; `error` is empty where all went well. `links` are trace and
    span ids.
    """

    trace_id: int
    span_id: int
    parent_id: int
    name: str
    kind: SpanKind
    service: str
    started: float
    ended: float
    error: str
    attributes: Mapping[str, Attribute]
    links: tuple[tuple[int, int], ...] = ()


def seen(span: Span) -> SeenSpan:
    """Return a span of the router's own."""
    return SeenSpan(
        trace_id=span.trace_id,
        span_id=span.span_id,
        parent_id=span.parent_id,
        name=written(span.name),
        kind=span.kind,
        service=OWN_SERVICE,
        started=span.started,
        ended=span.ended,
        error=written(str(span.attributes.get(ERROR, ""))),
        attributes={
            name: written(value) if isinstance(value, str) else value
            for name, value in span.attributes.items()
        },
        links=tuple(span.links),
    )


def written(text: str) -> str:
    """Return a text that can be written out: a token may name its bearer by half a character."""
    return text.encode("utf-8", "replace").decode()
