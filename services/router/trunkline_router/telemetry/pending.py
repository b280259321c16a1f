"""Spans that have ended, until they are told in one go: a call pays for an append alone."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from trunkline_router.span import Span

log = logging.getLogger(__name__)

Consumer = Callable[[Sequence[Span]], object]
_MANY = 16
"""Each time some answers wait: 512 at once would hold one in a hundred up for 7 ms."""
_PERIOD_S = 0.25


class Pending:
    """Holds ended spans, and tells them when there are many, or after a moment, or when asked."""

    def __init__(self, consumers: Sequence[Consumer]) -> None:
        self._consumers = tuple(consumers)
        self._spans: list[Span] = []

    def put(self, span: Span) -> None:
        """Hold a span that has ended; the event loop must be running."""
        spans = self._spans
        if not spans:
            asyncio.get_running_loop().call_later(_PERIOD_S, self.tell)
        spans.append(span)
        if len(spans) >= _MANY:
            self.tell()

    def tell(self) -> None:
        """Tell everybody what is held; whoever fails at it fails alone."""
        if not self._spans:
            return
        spans, self._spans = self._spans, []
        for consume in self._consumers:
            try:
                consume(spans)
            except Exception:
                log.exception("%d spans could not be taken by %r", len(spans), consume)
