"""Whether what is sent arrives: told once when it begins to be lost, and once after.

The SDK's exporters write a line for every attempt; those are kept from the log.
"""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from trunkline_shared.secrets import redact

log = logging.getLogger(__name__)

ENDING: Final = threading.Event()
"""Set when the process ends: the router may be gone by then, which is no news."""

_EXPORTERS = "opentelemetry.exporter"
_QUEUES = "opentelemetry.sdk._shared_internal"
_LONGEST = 200


class LastWords(logging.Handler):
    """Keeps what an exporter of the SDK said last, in the place of a log full of it."""

    said: ClassVar[str] = ""

    def emit(self, record: logging.LogRecord) -> None:
        LastWords.said = redact(record.getMessage())[:_LONGEST]

    @classmethod
    def take_over(cls) -> None:
        """Hear the SDK's exporters from now on, and let nobody else; a full queue is no news."""
        exporters = logging.getLogger(_EXPORTERS)
        exporters.handlers, exporters.propagate = [cls()], False
        logging.getLogger(_QUEUES).setLevel(logging.CRITICAL)


@dataclass(slots=True, kw_only=True)
class Outage:
    """What is known of one receiver; `where` it is and `what` it gets hold no secret."""

    where: str
    what: str = "traces"
    lost: bool = False

    def failed(self, why: str, level: int = logging.WARNING) -> None:
        """Note that a batch is lost; the first one is told."""
        if not self.lost:
            log.log(
                level,
                "%s are lost: %s does not take them (%s); calls go on, and this is not repeated",
                self.what,
                self.where,
                why,
            )
        self.lost = True

    def passed(self) -> None:
        """Note that a batch has arrived."""
        if self.lost:
            self.lost = False
            log.info("%s takes %s again", self.where, self.what)


@dataclass(slots=True, kw_only=True, eq=False)
class Watched(SpanExporter):
    """An exporter of the SDK, whose failures are told once.

    `taken` are the spans that it was given; `dropped` are those of this process that no collector
    took, or that waited in vain for being sent.
    """

    exporter: SpanExporter
    outage: Outage
    taken: int = 0
    dropped: ClassVar[int] = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Export a batch; blocks as long as the exporter may take, in a thread of its own."""
        self.taken += len(spans)
        result = self.exporter.export(spans)
        if result is SpanExportResult.SUCCESS:
            self.outage.passed()
        else:
            self.outage.failed(LastWords.said or "it gave no reason")
            Watched.dropped += len(spans)
        return result

    def shutdown(self) -> None:
        self.exporter.shutdown()
