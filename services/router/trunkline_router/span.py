"""A span as the router records it: plain values, cheap enough for every call.

The OpenTelemetry SDK's own span costs a tenth of a millisecond, which is half of a relayed call;
`adapters/otel_spans.py` turns these into the SDK's when they are exported.
"""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from opentelemetry.trace import SpanKind

from trunkline_router.attributes import ERROR, STATUS
from trunkline_router.wire.refusal import Refused
from trunkline_shared.clock import Clock
from trunkline_shared.errors import Cancelled, TrunklineError

Attribute = str | int | float
CANCELLED: Final = Cancelled.code.lower()
"""The error of what its own client has given up."""
_CALLERS_FAULT = frozenset({-32700, -32600, -32601, -32602, -32002})


class Span:
    """One timed step of a trace; a context manager that ends it and marks what goes wrong.

    Times are seconds since the epoch. `parent_id` is 0 at the root of a trace. `links` are trace
    and span ids of what it has to do with besides.
    """

    __slots__ = (
        "_recorder",
        "attributes",
        "ended",
        "kind",
        "links",
        "name",
        "parent_id",
        "span_id",
        "started",
        "trace_id",
    )

    def __init__(
        self,
        name: str,
        kind: SpanKind,
        parent: tuple[int, int] | None,
        attributes: dict[str, Attribute],
        recorder: "Recorder",
    ) -> None:
        self.name = name
        self.kind = kind
        self.trace_id, self.parent_id = parent or (random.getrandbits(128) or 1, 0)
        self.span_id = random.getrandbits(64) or 1
        self.attributes = attributes
        self.links: tuple[tuple[int, int], ...] = ()
        self.started = recorder.clock.now()
        self.ended = 0.0
        self._recorder = recorder

    @property
    def ids(self) -> tuple[int, int]:
        """The ids that name it in a link, or as a parent."""
        return self.trace_id, self.span_id

    @property
    def is_told(self) -> bool:
        """Whether anybody is told of it once it has ended."""
        return bool(self._recorder.ended)

    @property
    def trace(self) -> str:
        """The trace's id as people and other programs know it."""
        return f"{self.trace_id:032x}"

    @property
    def traceparent(self) -> str:
        """The W3C header that makes the next step a child of this one."""
        return f"00-{self.trace}-{self.span_id:016x}-01"

    def child(self, name: str, kind: SpanKind, attributes: dict[str, Attribute]) -> "Span":
        """Open the span of a part of this one's work."""
        return Span(name, kind, self.ids, attributes, self._recorder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace_back: TracebackType | None,
    ) -> None:
        if error is not None:
            self._mark(error)
        recorder = self._recorder
        self.ended = recorder.clock.now()
        for tell in recorder.ended:
            tell(self)

    def _mark(self, error: BaseException) -> None:
        if isinstance(error, Refused):
            self.mark_code(error.code)
        elif isinstance(error, TrunklineError):
            self.attributes[ERROR] = error.code.lower()
        elif isinstance(error, asyncio.CancelledError):
            self.attributes[ERROR] = CANCELLED
        else:
            self.attributes[ERROR] = type(error).__name__

    def mark_code(self, code: int) -> None:
        """Note a JSON-RPC error; towards a server each is an error, towards a client not all."""
        self.attributes[STATUS] = str(code)
        if self.kind is SpanKind.CLIENT or code not in _CALLERS_FAULT:
            self.attributes[ERROR] = str(code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorder:
    """Where spans take the time from, and who is told of each that has ended."""

    clock: Clock
    ended: tuple[Callable[[Span], object], ...] = ()
