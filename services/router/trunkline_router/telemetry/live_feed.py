"""What happens right now, told to whoever watches; while nobody does, it costs nothing."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from trunkline_router.model import Json
from trunkline_router.span import Span
from trunkline_router.telemetry.calls import is_request
from trunkline_router.telemetry.listener import Listener
from trunkline_router.telemetry.trace_buffer import TraceBuffer
from trunkline_router.telemetry.trace_rows import row_of
from trunkline_router.wire.event import named_event
from trunkline_shared.clock import Clock

log = logging.getLogger(__name__)

State = Callable[[], Json]
"""Tells how the mesh stands."""
Seen = Callable[[Json], Json]
"""Turns that into what one listener is told of it."""


def as_it_is(state: Json) -> Json:
    """Return how the mesh stands, as it is known here."""
    return state


class LiveFeed:
    """Tells of each call as it ends, and every two seconds how the mesh stands."""

    def __init__(self, traces: TraceBuffer, clock: Clock, *, period_s: float = 2.0) -> None:
        self.next_state: asyncio.TimerHandle | None = None
        self._traces = traces
        self._clock = clock
        self._period_s = period_s
        self._listeners: dict[Listener, Seen] = {}

    def __call__(self, spans: Sequence[Span]) -> None:
        """Tell of the calls among spans."""
        if not self._listeners:
            return
        calls = [span for span in spans if is_request(span)]
        second = int(self._clock.monotonic())
        room = {one: one.room(second, len(calls)) for one in self._listeners}
        frames = [self._frame(span) for span in calls[: max(room.values())]]
        for one, many in room.items():
            for frame in frames[:many]:
                one.call(frame)

    @contextmanager
    def heard_by(self, listener: Listener, state: State, seen: Seen = as_it_is) -> Iterator[None]:
        """Tell a listener for the length of the block; the first one's `state` goes to all."""
        listener.state(named_event(b"state", seen(state())))
        self._listeners[listener] = seen
        if self.next_state is None:
            self._wait(state)
        try:
            yield
        finally:
            del self._listeners[listener]
            if not self._listeners and self.next_state is not None:
                self.next_state.cancel()
                self.next_state = None

    def _wait(self, state: State) -> None:
        loop = asyncio.get_running_loop()
        self.next_state = loop.call_later(self._period_s, self._tell, state)

    def _tell(self, state: State) -> None:
        self._wait(state)
        try:
            self._tell_all(state())
        except Exception:
            log.exception("how the mesh stands cannot be told")

    def _tell_all(self, state: Json) -> None:
        whole = named_event(b"state", state)
        for one, seen in self._listeners.items():
            one.state(whole if seen is as_it_is else named_event(b"state", seen(state)))

    def _frame(self, span: Span) -> bytes:
        trace = self._traces.get(span.trace_id)
        row = row_of(span, 1 if trace is None else trace.spans)
        return named_event(b"call", row._asdict())
