"""Logs and traces of a process, set up once at its start."""

import logging
import sys
import threading
from collections.abc import Mapping, MutableMapping
from functools import cache
from typing import TextIO

import structlog
from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic import Field

from trunkline_shared.secrets import redact
from trunkline_shared.settings import Settings, load

EventDict = MutableMapping[str, object]

FLUSH_S = 1.0


class TelemetrySettings(Settings):
    """The OpenTelemetry variables that decide whether anything is exported, and the log level."""

    log_level: str | None = None
    otlp_endpoint: str | None = Field(None, validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT")
    otlp_traces_endpoint: str | None = Field(
        None, validation_alias="OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
    )

    @property
    def exports(self) -> bool:
        return bool(self.otlp_endpoint or self.otlp_traces_endpoint)


def set_up(
    service: str,
    version: str,
    *,
    stream: TextIO = sys.stderr,
    level_unless_set: str = "INFO",
) -> None:
    """Configure logging on `stream` and the tracer provider of this process.

    TRUNKLINE_LOG_LEVEL decides the level; `level_unless_set` is the one without it.
    """
    settings = load(TelemetrySettings)
    _set_up_logs(service, (settings.log_level or level_unless_set).upper(), stream)
    _set_up_traces(service, version)


@cache
def exporting() -> BatchSpanProcessor | None:
    """Return the process's one processor that exports spans, or None without an OTLP endpoint."""
    if not load(TelemetrySettings).exports:
        return None
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - 20 MB that only an exporting process pays
        OTLPSpanExporter,
    )

    return BatchSpanProcessor(OTLPSpanExporter())


def flush() -> None:
    """Send what has been traced, so that nothing is lost at the end of the process.

    A collector that hangs does not hold the end up: after a second its spans are lost.
    """
    processor = exporting()
    if processor is not None:
        sending = threading.Thread(target=processor.shutdown, daemon=True)
        sending.start()
        sending.join(FLUSH_S)


def _set_up_logs(service: str, level: str, stream: TextIO) -> None:
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _with_trace,
    ]
    on_terminal = stream.isatty()
    rendering: list[structlog.typing.Processor] = (
        [
            # Plain tracebacks: the rich ones print local variables, secrets among them.
            structlog.dev.ConsoleRenderer(
                colors=True, exception_formatter=structlog.dev.plain_traceback
            )
        ]
        if on_terminal
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, _named(service)],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *rendering,
                _redacted,
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for noisy in ("mcp", "uvicorn.access", "httpx", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            *shared,
            _named(service),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _named(service: str) -> structlog.typing.Processor:
    def name(_: object, __: str, event: EventDict) -> Mapping[str, object]:
        event.setdefault("service", service)
        return event

    return name


def _with_trace(_: object, __: str, event: EventDict) -> Mapping[str, object]:
    context = trace.get_current_span().get_span_context()
    if context.is_valid:
        event["trace_id"] = trace.format_trace_id(context.trace_id)
        event["span_id"] = trace.format_span_id(context.span_id)
    return event


def _redacted(_: object, __: str, line: object) -> str:
    """Look at the whole line, so that a secret inside an exception's text is seen too."""
    return redact(str(line))


def _set_up_traces(service: str, version: str) -> None:
    provider = TracerProvider(
        resource=Resource.create({
            "service.name": service,
            "service.version": version,
            "service.namespace": "trunkline",
        }),
        shutdown_on_exit=False,  # it would wait for a hung collector; `flush` does not
    )
    exporter = exporting()
    if exporter is not None:
        provider.add_span_processor(exporter)
    trace.set_tracer_provider(provider)
