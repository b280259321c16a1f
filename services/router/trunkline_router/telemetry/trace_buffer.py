"""The newest traces, whole: the router's own spans, and what the mesh's servers send of theirs."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence

from opentelemetry.trace import SpanKind

from trunkline_router.attributes import ERROR, METHOD
from trunkline_router.span import Span
from trunkline_router.telemetry.received_spans import Received, opened
from trunkline_router.telemetry.seen_span import SeenSpan, seen
from trunkline_router.telemetry.trace_rows import Row, Wanted, row_of

MOST_SPANS = 1000
MOST_BYTES = 64 * 1024 * 1024
MOST_EARLY = 500
MOST_STRANGERS = 100
MOST_REFUSED = 100
_ID_DIGITS = 32
_OWN_BYTES, _RECEIVED_BYTES = 1500, 250
"""About what a span takes: the router's own has few attributes, and all of them are short."""


class Trace:
    """The spans of one trace, the newest of them if they are too many.

    Those of servers go first: without the router's own nothing says what was asked.
    """

    __slots__ = ("_own", "_received", "bytes", "dropped")

    def __init__(self) -> None:
        self._own: list[Span] = []
        self._received: list[Received] = []
        self.bytes = 0
        self.dropped = 0

    @property
    def spans(self) -> int:
        """How many there are."""
        return len(self._own) + len(self._received)

    def add(self, span: Span | Received) -> int:
        """Keep a span; returns by how many bytes more is kept now."""
        if isinstance(span, Span):
            self._own.append(span)
        else:
            self._received.append(span)
        size = _size(span)
        if self.spans > MOST_SPANS:
            # What ends last holds a trace together: the requests that the others are steps of.
            size -= _size((self._received or self._own).pop(0))
            self.dropped += 1
        self.bytes += size
        return size

    def row(self, wanted: Wanted) -> Row | None:
        """Return the line about its topmost request that is wanted."""
        requests = (span for span in self._requests() if span in wanted)
        topmost = min(requests, key=_began, default=None)
        return None if topmost is None else row_of(topmost, self.spans)

    def seen(self) -> list[SeenSpan]:
        """Return its spans, each once; of two under one id the router's own is the true one."""
        every = (*map(opened, self._received), *map(seen, self._own))
        return list({one.span_id: one for one in every}.values())

    def _requests(self) -> Iterator[Span]:
        return (span for span in self._own if span.kind is SpanKind.SERVER)


class TraceBuffer:
    """Keeps as many traces as `most` says, in 64 MiB; each has 1,000 spans at the most.

    A trace is kept from the first span of the router's own. What servers send earlier than that
    waits for it, in the newest 500 traces. Of those whom the door refused the newest 100 are kept,
    each in the first 100 spans of its trace: nobody outside pushes out what happens inside.
    """

    def __init__(self, most: Callable[[], int]) -> None:
        self.most = most
        self.lost_spans = 0
        self._traces: OrderedDict[int, Trace] = OrderedDict()
        self._early: OrderedDict[int, Trace] = OrderedDict()
        self._strangers: OrderedDict[int, None] = OrderedDict()
        self._bytes = 0
        self._arrived = asyncio.Event()

    def __len__(self) -> int:
        return len(self._traces)

    def __call__(self, spans: Sequence[Span]) -> None:
        """Keep spans of the router's own, which have ended."""
        traces = self._traces
        for span in spans:
            trace = traces.get(span.trace_id)
            if trace is None:
                trace = traces[span.trace_id] = self._opened(span)
            elif _is_strangers(span):
                # Whoever is outside may name any trace, his own or another's, as often as he likes.
                if trace.spans >= MOST_REFUSED:
                    trace.dropped += 1
                    continue
            elif span.kind is SpanKind.SERVER:
                # A client may make many calls under one trace: with each it is the newest again.
                traces.move_to_end(span.trace_id)
                self._strangers.pop(span.trace_id, None)
            self._bytes += trace.add(span)
        self._bound()

    def _opened(self, span: Span) -> Trace:
        trace_id, early = span.trace_id, self._early
        if _is_strangers(span):
            self._strangers[trace_id] = None
        return early.pop(trace_id) if trace_id in early else Trace()

    def receive(self, spans: Iterable[Received]) -> None:
        """Keep spans of the mesh's servers, before or after the router's own."""
        for span in spans:
            trace = self._traces.get(span.trace_id) or self._early.get(span.trace_id)
            if trace is None:
                trace = self._early[span.trace_id] = Trace()
            self._bytes += trace.add(span)
        self._bound()
        self._arrived.set()
        self._arrived = asyncio.Event()

    def newest(self) -> Sequence[Trace]:
        """Return the traces that are kept now, newest first."""
        return [*reversed(self._traces.values())]

    def rows(self, wanted: Wanted) -> Iterator[Row]:
        """Return the line about each trace that has a request of those wanted, newest first."""
        for trace in self.newest():
            row = trace.row(wanted)
            if row is not None:
                yield row

    def find(self, beginning: str) -> list[int]:
        """Return the ids that begin so, hexadecimal."""
        if len(beginning) == _ID_DIGITS:
            return [one for one in (int(beginning, 16),) if one in self._traces]
        return [one for one in self._traces if f"{one:032x}".startswith(beginning)]

    def get(self, trace_id: int) -> Trace | None:
        """Return a trace that is kept."""
        return self._traces.get(trace_id)

    async def more(self) -> None:
        """Wait until a server has sent spans."""
        await self._arrived.wait()

    def _bound(self) -> None:
        while len(self._early) > MOST_EARLY:
            self._forget(self._early)
        while len(self._strangers) > MOST_STRANGERS:
            self._traces.move_to_end(next(iter(self._strangers)), last=False)
            self._forget(self._traces)
        most = self.most()
        while len(self._traces) > most:
            self._forget(self._traces)
        while self._bytes > MOST_BYTES:
            self._forget(self._early or self._traces)

    def _forget(self, traces: OrderedDict[int, Trace]) -> None:
        """Forget the oldest."""
        oldest, gone = traces.popitem(last=False)
        self._bytes -= gone.bytes
        if self._strangers:
            self._strangers.pop(oldest, None)
        if traces is self._early:
            self.lost_spans += gone.spans


def _is_strangers(span: Span) -> bool:
    """Say whether somebody was refused before it was known who that is."""
    told = span.attributes
    return ERROR in told and METHOD not in told and span.kind is SpanKind.SERVER


def _began(span: Span) -> float:
    return span.started


def _size(span: Span | Received) -> int:
    if isinstance(span, Span):
        return _OWN_BYTES
    return _RECEIVED_BYTES + len(span.packed)
