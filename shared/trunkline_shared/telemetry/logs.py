"""Log lines: one JSON object each or coloured text, joined to their trace, without secrets."""

import logging
from collections.abc import Mapping, MutableMapping
from typing import TextIO

import structlog
from opentelemetry import trace

from trunkline_shared.secrets import redact

EventDict = MutableMapping[str, object]

_NOISY = ("mcp", "uvicorn.access", "httpx", "asyncio", "urllib3")


def set_up_logs(service: str, level: str, stream: TextIO) -> None:
    """Log to a stream: coloured on a terminal, as JSON otherwise, always with trace ids."""
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
    for noisy in _NOISY:
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
