"""Which spans there are: those of calls, and no trace of what a server does by itself."""

from collections.abc import Sequence

from opentelemetry.context import Context
from opentelemetry.sdk.trace.sampling import (
    ALWAYS_ON,
    Decision,
    ParentBased,
    Sampler,
    SamplingResult,
)
from opentelemetry.trace import Link, SpanKind, TraceState
from opentelemetry.util.types import Attributes


class _Asked(Sampler):
    """Samples a trace that begins with somebody's request, and none that begins otherwise."""

    def should_sample(  # noqa: PLR0913, PLR0917 - the SDK's signature
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        """Decide by the kind of the trace's first span."""
        if kind is SpanKind.SERVER:
            return ALWAYS_ON.should_sample(
                parent_context, trace_id, name, kind, attributes, links, trace_state
            )
        return SamplingResult(Decision.DROP)

    def get_description(self) -> str:
        return "Asked"


CALLS = ParentBased(root=_Asked())
"""Whoever asks decides, as the router does, which asks for itself untraced."""
