"""All that a router learns from its own spans, put together."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Self

from trunkline_router.span import Recorder, Span
from trunkline_router.telemetry.pending import Consumer, Pending
from trunkline_shared.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Telemetry:
    """What is made of spans."""

    recorder: Recorder
    pending: Pending

    @classmethod
    def of(
        cls,
        clock: Clock,
        *,
        exporters: Sequence[Consumer] = (),
        witnesses: Sequence[Callable[[Span], object]] = (),
    ) -> Self:
        """Put the parts together.

        `exporters` are told of spans many at a time, `witnesses` of each one as it ends.
        """
        pending = Pending(exporters)
        recorder = Recorder(clock=clock, ended=(pending.put, *witnesses))
        return cls(recorder=recorder, pending=pending)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Make of spans what is made of them for the length of the block, to the last one."""
        try:
            yield
        finally:
            self.pending.tell()
