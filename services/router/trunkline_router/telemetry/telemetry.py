"""All that a router learns from its own spans, put together."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Self

from trunkline_router.span import Recorder, Span
from trunkline_router.telemetry.live_feed import LiveFeed
from trunkline_router.telemetry.operations import Operations
from trunkline_router.telemetry.pending import Consumer, Pending
from trunkline_router.telemetry.series import Series
from trunkline_router.telemetry.session_durations import SessionDurations
from trunkline_router.telemetry.trace_buffer import TraceBuffer
from trunkline_shared.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Telemetry:
    """What is made of spans."""

    recorder: Recorder
    pending: Pending
    traces: TraceBuffer
    series: Series
    feed: LiveFeed
    operations: Operations
    sessions: SessionDurations

    @classmethod
    def of(
        cls,
        clock: Clock,
        *,
        kept: Callable[[], int],
        exporters: Sequence[Consumer] = (),
        witnesses: Sequence[Callable[[Span], object]] = (),
    ) -> Self:
        """Put the parts together.

        `kept` is how many traces are kept at the most. `exporters` are told of spans many at a
        time, `witnesses` of each one as it ends.
        """
        traces = TraceBuffer(kept)
        series, feed, operations = Series(clock), LiveFeed(traces, clock), Operations()
        pending = Pending((traces, series, feed, operations, *exporters))
        return cls(
            recorder=Recorder(clock=clock, ended=(pending.put, *witnesses)),
            pending=pending,
            traces=traces,
            series=series,
            feed=feed,
            operations=operations,
            sessions=SessionDurations(),
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Make of spans what is made of them for the length of the block, to the last one."""
        try:
            yield
        finally:
            self.pending.tell()
