"""A trace whose spans were recorded in several workers, as one."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from opentelemetry.trace import SpanKind

from trunkline_router.telemetry.seen_span import SeenSpan
from trunkline_router.telemetry.trace_rows import Row
from trunkline_router.telemetry.whole_trace import WholeTrace

_Json = dict[str, Any]


def whole(parts: Sequence[_Json], sends: Callable[[str], bool]) -> _Json:
    """Return `/api/traces/{id}` of what several workers have told of it."""
    spans = {span.span_id: span for part in parts for span in _spans(part)}
    rows = [Row(**part["row"]) for part in parts if part["row"] is not None]
    topmost = min(rows, key=lambda row: row.started, default=None)
    trace = WholeTrace(
        trace_id=int(parts[0]["trace_id"], 16),
        row=None if topmost is None else topmost._replace(spans=len(spans)),
        spans=list(spans.values()),
        dropped=sum(part["dropped"] for part in parts),
    )
    return trace.to_json(lacks=trace.lacks(sends))


def _spans(part: _Json) -> Iterator[SeenSpan]:
    for told in part["spans"]:
        started = part["started"] + told["offset_ms"] / 1000
        yield SeenSpan(
            trace_id=int(part["trace_id"], 16),
            span_id=int(told["span_id"], 16),
            parent_id=int(told.get("remote_parent_id") or told["parent_id"] or "0", 16),
            name=told["name"],
            kind=SpanKind[told["kind"].upper()],
            service=told["service"],
            started=started,
            ended=started + told["duration_ms"] / 1000,
            error=told["error"],
            attributes=told["attributes"],
            links=tuple(
                (int(one["trace_id"], 16), int(one["span_id"], 16)) for one in told["links"]
            ),
        )
