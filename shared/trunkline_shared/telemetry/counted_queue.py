"""The SDK's queue of spans for a collector, and how many have found no room in it."""

from opentelemetry.sdk.trace import ReadableSpan

from trunkline_shared.telemetry.outage import Watched
from trunkline_shared.telemetry.sending import Sending


class CountedQueue(Sending):
    """Counts what has come and what was taken out: the SDK tells nobody what it drops.

    `size` is how many spans wait at the most.
    """

    def __init__(self, exporter: Watched, size: int) -> None:
        super().__init__(exporter, max_queue_size=size)
        self._watched = exporter
        self._size = size
        self._kept = 0

    def on_end(self, span: ReadableSpan) -> None:
        """Let a span wait for being sent; the one that has waited longest makes room for it."""
        if self._kept - self._watched.taken >= self._size:
            Watched.dropped += 1
        else:
            self._kept += 1
        super().on_end(span)
