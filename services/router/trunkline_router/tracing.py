"""Spans after the OpenTelemetry conventions for MCP: one per request, one per upstream call."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from opentelemetry import context as ambient
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, SpanKind, TraceFlags, Tracer
from opentelemetry.util.types import AttributeValue

from trunkline_router.model import Call, JsonRpcError, Outcome, Request, ServerAddress
from trunkline_router.refusal import Refused
from trunkline_shared.errors import TrunklineError

_METHODS = frozenset({
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
})
_NAMED = {"tools/call": "gen_ai.tool.name", "prompts/get": "gen_ai.prompt.name"}
_CALLERS_FAULT = frozenset({-32700, -32600, -32601, -32602, -32002})
_NAME_CAP = 128
_PARENT_LENGTH = 55


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracing:
    """Opens spans; what they say of the request never includes arguments or results."""

    tracer: Tracer

    @contextmanager
    def request(self, request: Request) -> Iterator[Span]:
        """Open the SERVER span of a request and make it current.

        The parent is `_meta.traceparent`, else the header of that name.
        """
        given = request.meta.get("traceparent") or request.traceparent
        attributes = _attributes(request, request.target)
        attributes["jsonrpc.request.id"] = str(request.id)
        if request.version is not None:
            attributes["mcp.protocol.version"] = request.version
        span = self.tracer.start_span(
            _span_name(request, request.target),
            context=_parent(given) if isinstance(given, str) else None,
            kind=SpanKind.SERVER,
            attributes=attributes,
        )
        with _current(span):
            yield span

    @contextmanager
    def upstream(self, call: Call, address: ServerAddress) -> Iterator[Span]:
        """Open the CLIENT span of one attempt at a server."""
        attributes = _attributes(call.request, call.name)
        attributes["server.address"] = address.url.host or ""
        attributes["server.port"] = address.url.port or 0
        attributes["trunkline.server"] = address.id
        span = self.tracer.start_span(
            _span_name(call.request, call.name), kind=SpanKind.CLIENT, attributes=attributes
        )
        with _current(span):
            yield span


@contextmanager
def _current(span: Span) -> Iterator[None]:
    token = ambient.attach(trace.set_span_in_context(span))
    try:
        yield
    except Refused as refusal:
        _mark_code(span, refusal.code)
        raise
    except TrunklineError as error:
        span.set_attribute("error.type", error.code.lower())
        raise
    except BaseException as error:
        span.set_attribute("error.type", type(error).__name__)
        raise
    finally:
        ambient.detach(token)
        span.end()


def note_outcome(span: Span, outcome: Outcome) -> None:
    """Write down on a request's span who answered, from where, and how it went."""
    span.set_attribute("trunkline.server", outcome.server)
    span.set_attribute("trunkline.source", outcome.provenance.value)
    if outcome.error is not None:
        _mark_code(span, outcome.error.code)
    elif outcome.is_error:
        span.set_attribute("error.type", "tool_error")


def note_upstream_error(span: Span, error: JsonRpcError) -> None:
    """Write down a server's JSON-RPC error: towards a server every code is an error."""
    span.set_attribute("rpc.response.status_code", str(error.code))
    span.set_attribute("error.type", str(error.code))


def _mark_code(span: Span, code: int) -> None:
    span.set_attribute("rpc.response.status_code", str(code))
    if code not in _CALLERS_FAULT:
        span.set_attribute("error.type", str(code))


def traceparent_of(span: Span) -> str | None:
    """Return the W3C `traceparent` of a span, or None when nothing is traced."""
    context = span.get_span_context()
    if not context.is_valid:
        return None
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


def trace_id_of(span: Span) -> str | None:
    """Return the trace id in hexadecimal, or None when nothing is traced."""
    context = span.get_span_context()
    return f"{context.trace_id:032x}" if context.is_valid else None


def _attributes(request: Request, target: str | None) -> dict[str, AttributeValue]:
    method = request.method
    attributes: dict[str, AttributeValue] = {
        "mcp.method.name": method if method in _METHODS else "_OTHER",
        "network.protocol.name": "http",
        "network.transport": "tcp",
    }
    if target is not None:
        if method == "tools/call":
            attributes["gen_ai.operation.name"] = "execute_tool"
        if (key := _NAMED.get(method)) is not None:
            attributes[key] = target[:_NAME_CAP]
        elif method == "resources/read":
            attributes["mcp.resource.uri"] = target[:_NAME_CAP]
    return attributes


def _span_name(request: Request, target: str | None) -> str:
    method = request.method
    if method not in _METHODS:
        return "_OTHER"
    return f"{method} {target[:_NAME_CAP]}" if target and method in _NAMED else method


def _parent(traceparent: str) -> Context | None:
    """Read a W3C `traceparent` of version 00; None for anything malformed."""
    parts = traceparent.split("-")
    if len(traceparent) != _PARENT_LENGTH or [len(p) for p in parts] != [2, 32, 16, 2]:
        return None
    try:
        trace_id, span_id, flags = (int(part, 16) for part in parts[1:])
    except ValueError:
        return None
    context = SpanContext(trace_id, span_id, is_remote=True, trace_flags=TraceFlags(flags))
    if not context.is_valid or parts[0] == "ff":
        return None
    return trace.set_span_in_context(NonRecordingSpan(context))
