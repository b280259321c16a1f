"""Spans that the mesh's servers have sent: taken from an OTLP message, and kept packed.

Few of them are ever looked at, so each stays in the bytes of its message, an eighth of what it
takes as values, and is read when somebody asks for its trace.
"""

from collections.abc import Iterator
from typing import NamedTuple

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1 import trace_pb2
from opentelemetry.trace import SpanKind

from trunkline_router.attributes import ERROR
from trunkline_router.span import Attribute
from trunkline_router.telemetry.seen_span import SeenSpan

_TRACE_BYTES, _SPAN_BYTES = 16, 8
_LARGEST = 16 * 1024
_MOST_ATTRIBUTES = 64
_MOST_LINKS = 32
_LONGEST = 1024
_LONGEST_NAME = 256
_NANOSECONDS = 1e9
_KINDS = {
    trace_pb2.Span.SPAN_KIND_SERVER: SpanKind.SERVER,
    trace_pb2.Span.SPAN_KIND_CLIENT: SpanKind.CLIENT,
    trace_pb2.Span.SPAN_KIND_PRODUCER: SpanKind.PRODUCER,
    trace_pb2.Span.SPAN_KIND_CONSUMER: SpanKind.CONSUMER,
}


class Unreadable(Exception):
    """What has come is no OTLP message."""


class Received(NamedTuple):
    """One span of a server, as it came."""

    trace_id: int
    service: str
    packed: bytes


class Arrival(NamedTuple):
    """The spans of one message; `refused` of them cannot be told by their ids, or are too large."""

    spans: tuple[Received, ...]
    refused: int


def arrival_of(message: bytes) -> Arrival:
    """Return the spans of an ExportTraceServiceRequest. Raises Unreadable.

    Events are left out: an exception's text may say what an argument was. OTLP 1.x, "Trace".
    """
    try:
        request = ExportTraceServiceRequest.FromString(message)
    except DecodeError:
        raise Unreadable("The body is no ExportTraceServiceRequest of OTLP.") from None
    every = tuple(_each(request))
    spans = tuple(one for one in every if one is not None)
    return Arrival(spans, len(every) - len(spans))


def _each(request: ExportTraceServiceRequest) -> Iterator[Received | None]:
    for resource in request.resource_spans:
        service = _service(resource)
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield _packed(span, service)


def _service(resource: trace_pb2.ResourceSpans) -> str:
    attributes = resource.resource.attributes
    named = (one.value.string_value for one in attributes if one.key == "service.name")
    return next(named, "")[:_LONGEST_NAME] or "unknown_service"


def _packed(span: trace_pb2.Span, service: str) -> Received | None:
    trace_id = _id(span.trace_id, _TRACE_BYTES)
    if not trace_id or not _id(span.span_id, _SPAN_BYTES):
        return None
    span.ClearField("events")
    packed = span.SerializeToString()
    return Received(trace_id, service, packed) if len(packed) <= _LARGEST else None


def opened(received: Received) -> SeenSpan:
    """Return a received span as values; of attributes that are too many the first are kept."""
    span = trace_pb2.Span.FromString(received.packed)
    attributes = _attributes(span)
    started = span.start_time_unix_nano / _NANOSECONDS
    return SeenSpan(
        trace_id=received.trace_id,
        span_id=_id(span.span_id, _SPAN_BYTES),
        parent_id=_id(span.parent_span_id, _SPAN_BYTES),
        name=span.name[:_LONGEST_NAME],
        kind=_KINDS.get(span.kind, SpanKind.INTERNAL),
        service=received.service,
        started=started,
        ended=max(started, span.end_time_unix_nano / _NANOSECONDS),
        error=_error(span, attributes),
        attributes=attributes,
        links=tuple(_links(span)),
    )


def _attributes(span: trace_pb2.Span) -> dict[str, Attribute]:
    return {
        one.key[:_LONGEST_NAME]: _value(one)
        for one in span.attributes[:_MOST_ATTRIBUTES]
        if one.key
    }


def _value(one: KeyValue) -> Attribute:
    value = _plain(one.value)
    return value[:_LONGEST] if isinstance(value, str) else value


def _plain(value: AnyValue) -> Attribute:
    kind = value.WhichOneof("value")
    if kind in {"string_value", "bool_value", "int_value", "double_value"}:
        plain: Attribute = getattr(value, kind)
        return plain
    if kind == "array_value":
        return ", ".join(str(_scalar(each)) for each in value.array_value.values[:_MOST_ATTRIBUTES])
    return ""


def _scalar(value: AnyValue) -> Attribute:
    kind = value.WhichOneof("value")
    return "…" if kind in {None, "array_value", "kvlist_value", "bytes_value"} else _plain(value)


def _error(span: trace_pb2.Span, attributes: dict[str, Attribute]) -> str:
    failed = span.status.code == trace_pb2.Status.STATUS_CODE_ERROR
    return str(attributes.get(ERROR, "")) or ("error" if failed else "")


def _links(span: trace_pb2.Span) -> Iterator[tuple[int, int]]:
    for link in span.links[:_MOST_LINKS]:
        ids = _id(link.trace_id, _TRACE_BYTES), _id(link.span_id, _SPAN_BYTES)
        if all(ids):
            yield ids


def _id(raw: bytes, length: int) -> int:
    """Return an id as a number; 0 for one that is not there, or of another length."""
    return int.from_bytes(raw) if len(raw) == length else 0
