"""Sends the spans of the mesh's own servers to its router: OTLP over HTTP, in protobuf.

The SDK's exporter would send the collector's headers along, and read its certificates and
compression, which are not meant for the router.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from trunkline_shared.telemetry.outage import ENDING, Outage

TIMEOUT_S: Final = 2.0
_ABSENT = 404
_SUCCESSES = range(200, 300)


@dataclass(slots=True, kw_only=True, eq=False)
class RouterExporter(SpanExporter):
    """One connection to the router, kept between batches; used by one thread at a time."""

    url: str
    key: str = field(repr=False)
    outage: Outage
    _connection: HTTPConnection | None = None
    _ended: bool = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch, within a few seconds; what the router does not take is lost."""
        if self._ended:
            return SpanExportResult.FAILURE
        body = encode_spans(spans).SerializeToString()
        try:
            status = self._posted(body)
        except (OSError, HTTPException) as error:
            return self._lost(type(error).__name__)
        if status not in _SUCCESSES:
            return self._lost(f"HTTP {status}", is_absent=status == _ABSENT)
        self.outage.passed()
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        self._ended = True

    def force_flush(self, timeout_millis: int = 30_000) -> bool:  # noqa: ARG002 - the SDK's signature
        """Return at once: nothing is held here."""
        return True

    def _lost(self, why: str, *, is_absent: bool = False) -> SpanExportResult:
        # A router without this page is an older one, and nothing is wrong with it.
        is_news = not is_absent and not ENDING.is_set()
        self.outage.failed(why, logging.WARNING if is_news else logging.DEBUG)
        return SpanExportResult.FAILURE

    def _posted(self, body: bytes) -> int:
        """Send over the connection that is open; one that the router has closed is replaced."""
        if self._connection is not None:
            try:
                return self._asked(self._connection, body)
            except (ConnectionError, HTTPException):
                self._drop()
        self._connection = _connection(self.url)
        try:
            return self._asked(self._connection, body)
        except (OSError, HTTPException):
            self._drop()
            raise

    def _asked(self, connection: HTTPConnection, body: bytes) -> int:
        path = urlsplit(self.url).path or "/"
        headers = {"Content-Type": "application/x-protobuf"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _connection(url: str) -> HTTPConnection:
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=TIMEOUT_S)
