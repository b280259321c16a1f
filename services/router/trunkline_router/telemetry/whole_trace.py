"""One trace as it is shown, and whether all that belongs to it has come."""

from collections.abc import Callable
from dataclasses import dataclass

from opentelemetry.trace import SpanKind

from trunkline_router.attributes import SERVER
from trunkline_router.link import NeverSent
from trunkline_router.model import Json
from trunkline_router.telemetry.seen_span import OWN_SERVICE, SeenSpan
from trunkline_router.telemetry.trace_buffer import Trace
from trunkline_router.telemetry.trace_rows import Row, Wanted, milliseconds
from trunkline_router.telemetry.trace_tree import Placed, placed

_ANYTHING = Wanted()


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeTrace:
    """The spans of a trace, at one moment."""

    trace_id: int
    row: Row | None
    spans: list[SeenSpan]
    dropped: int

    @classmethod
    def of(cls, trace_id: int, trace: Trace) -> "WholeTrace":
        """Return what is known of a trace."""
        return cls(
            trace_id=trace_id,
            row=trace.row(_ANYTHING),
            spans=trace.seen(),
            dropped=trace.dropped,
        )

    def lacks(self, sends: Callable[[str], bool]) -> bool:
        """Say whether a server that `sends` its spans has not told yet of a call that it got."""
        told = {span.parent_id for span in self.spans if span.service != OWN_SERVICE}
        return any(
            span.span_id not in told and sends(str(span.attributes.get(SERVER, "")))
            for span in self.spans
            if _was_sent(span)
        )

    def to_json(self, *, lacks: bool) -> Json:
        """Return what `/api/traces/{id}` answers."""
        started = min(span.started for span in self.spans)
        ended = max(span.ended for span in self.spans)
        return {
            "trace_id": f"{self.trace_id:032x}",
            "complete": self.row is not None and not lacks and not self.dropped,
            "dropped": self.dropped,
            "started": started,
            "duration_ms": milliseconds(ended - started),
            "row": None if self.row is None else self.row._asdict(),
            "spans": [_span(one, started) for one in placed(self.spans)],
        }


def _was_sent(span: SeenSpan) -> bool:
    return (
        span.kind is SpanKind.CLIENT
        and span.service == OWN_SERVICE
        and SERVER in span.attributes
        and span.error != NeverSent.__name__
    )


def _span(one: Placed, began: float) -> Json:
    span = one.span
    told: Json = {
        "span_id": f"{span.span_id:016x}",
        "parent_id": "" if one.is_root else f"{span.parent_id:016x}",
        "name": span.name,
        "kind": span.kind.name.lower(),
        "service": span.service,
        "offset_ms": milliseconds(span.started - began),
        "duration_ms": milliseconds(span.ended - span.started),
        "error": span.error,
        "attributes": dict(span.attributes),
        "links": [
            {"trace_id": f"{trace:032x}", "span_id": f"{id_:016x}"} for trace, id_ in span.links
        ],
    }
    if one.is_root and span.parent_id:
        told["remote_parent_id"] = f"{span.parent_id:016x}"
    return told
