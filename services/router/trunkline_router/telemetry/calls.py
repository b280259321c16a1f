"""A request that has ended, as those want to know it who count, chart and watch requests."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from opentelemetry.trace import SpanKind

from trunkline_router import tracing
from trunkline_router.span import Span

CALLS: Final = frozenset({"tools/call", "resources/read", "prompts/get", "completion/complete"})
"""What agents come for; the rest is how they find it."""


class EndedCall(NamedTuple):
    """One request; `seconds` is how long it took, `ended` is seconds since the epoch.

    A text that does not apply is empty: `tool` for other methods, `server` and `agent` where the
    request was refused before they were known, `error` for what went well. `source` says where the
    answer came from. Tokens are estimates.
    """

    span: Span
    method: str
    tool: str
    server: str
    agent: str
    source: str
    error: str
    seconds: float
    ended: float
    tokens_in: int
    tokens_out: int


def calls_in(spans: Sequence[Span]) -> Iterator[EndedCall]:
    """Return the requests of MCP clients among spans."""
    for span in spans:
        if span.kind is SpanKind.SERVER and "mcp.method.name" in span.attributes:
            yield _call_of(span)


def _call_of(span: Span) -> EndedCall:
    given = span.attributes.get
    return EndedCall(
        span=span,
        method=str(given("mcp.method.name", "")),
        tool=str(given("gen_ai.tool.name", "")),
        server=str(given(tracing.SERVER, "")),
        agent=str(given(tracing.AGENT, "")),
        source=str(given(tracing.SOURCE, "")),
        error=str(given("error.type", "")),
        seconds=span.ended - span.started,
        ended=span.ended,
        tokens_in=int(given(tracing.TOKENS_IN, 0)),
        tokens_out=int(given(tracing.TOKENS_OUT, 0)),
    )
