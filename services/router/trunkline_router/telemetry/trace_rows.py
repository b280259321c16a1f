"""One line about a trace, or about a call in it, and which of them somebody wants to see."""

from dataclasses import dataclass
from typing import NamedTuple

from trunkline_router.attributes import (
    AGE_MS,
    AGENT,
    ERROR_CODE,
    METHOD,
    SERVER,
    SOURCE,
    TOKENS_IN,
    TOKENS_OUT,
    TOOL,
)
from trunkline_router.span import Span
from trunkline_router.telemetry.calls import CALLS, failure_of
from trunkline_router.telemetry.seen_span import written

ANY, NONE = "any", "none"


class Row(NamedTuple):
    """A request of a client, in the words of `/api/traces`; `spans` is how many its trace has.

    `started` is seconds since the epoch. A text that does not apply is empty.
    """

    trace_id: str
    name: str
    method: str
    tool: str
    server: str
    agent: str
    source: str
    error: str
    started: float
    duration_ms: float
    spans: int
    tokens_in: int
    tokens_out: int
    age_ms: float


def row_of(span: Span, spans: int) -> Row:
    """Return the line about a request's span."""
    given = span.attributes.get
    return Row(
        trace_id=span.trace,
        name=_text(span.name),
        method=_text(given(METHOD, "")),
        tool=_text(given(TOOL, "")),
        server=_text(given(SERVER, "")),
        agent=_text(given(AGENT, "")),
        source=_text(given(SOURCE, "")),
        error=_text(given(ERROR_CODE) or failure_of(span) or ""),
        started=span.started,
        duration_ms=milliseconds(span.ended - span.started),
        spans=spans,
        tokens_in=int(given(TOKENS_IN, 0)),
        tokens_out=int(given(TOKENS_OUT, 0)),
        age_ms=float(given(AGE_MS, 0)),
    )


def milliseconds(seconds: float) -> float:
    """Return a duration to the microsecond."""
    return round(seconds * 1000, 3)


def _text(value: object) -> str:
    text = str(value)
    return text if text.isascii() else written(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which requests somebody wants to see; what is empty wants all.

    `error` is `any`, `none`, or the type of error, or a tool's code. Without `lists`, listings and
    greetings that went well are left out.
    """

    server: str = ""
    agent: str = ""
    tool: str = ""
    source: str = ""
    error: str = ""
    lists: bool = True

    def __contains__(self, span: Span) -> bool:
        told = span.attributes
        wrong = failure_of(span)
        return (
            (self.lists or wrong is not None or told.get(METHOD) in CALLS)
            and self.server in {"", told.get(SERVER)}
            and self.agent in {"", told.get(AGENT)}
            and self.tool in {"", told.get(TOOL)}
            and self.source in {"", told.get(SOURCE)}
            and self._error_of(wrong, told.get(ERROR_CODE))
        )

    def _error_of(self, error: object, code: object) -> bool:
        if self.error == ANY:
            return error is not None
        if self.error == NONE:
            return error is None
        return self.error in {"", error, code}
