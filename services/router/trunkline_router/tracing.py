"""The spans of a request, after the OpenTelemetry conventions for MCP.

One SERVER span for what a client asks, one CLIENT span for each attempt at a server. Arguments
and results are never part of them.
"""

from contextlib import AbstractContextManager, nullcontext

from opentelemetry import context as ambient
from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, TraceFlags
from yarl import URL

from trunkline_router.attributes import (
    AGE_MS,
    AGENT,
    DEFAULTED,
    DEPTH,
    ERROR,
    ERROR_CODE,
    METHOD,
    OPERATION,
    OTHER,
    PROMPT,
    RESOURCE,
    SERVER,
    SOURCE,
    TOOL,
    VERSION,
    WAITS,
)
from trunkline_router.model import Call, Caller, Outcome, Request
from trunkline_router.span import Attribute, Recorder, Span
from trunkline_shared import wire

_METHODS = frozenset({
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
})
_NAME_OF = {
    "tools/call": TOOL,
    "prompts/get": PROMPT,
    "resources/read": RESOURCE,
}
_NAME_CAP = 128
_TRACEPARENT = (2, 32, 16, 2)
_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
_NOTHING = ambient.Context()
"""What else is ambient in the router."""
(_KEY,) = trace.set_span_in_context(trace.INVALID_SPAN, _NOTHING)
"""Under which those who ask OpenTelemetry find the present span."""


def request_span(recorder: Recorder, request: Request) -> Span:
    """Open the span of a request; its parent is `_meta.traceparent`, else the header."""
    attributes: dict[str, Attribute] = {"jsonrpc.request.id": str(request.id)[:_NAME_CAP]}
    if request.version is not None:
        attributes[VERSION] = request.version[:_NAME_CAP]
    name = _describe(attributes, request.method, request.target)
    told, carried = _parent(request.meta.get("traceparent")), _parent(request.traceparent)
    span = Span(name, SpanKind.SERVER, told or carried, attributes, recorder)
    if told is not None and carried is not None and told != carried:
        # The conventions for MCP: the parent is in the message, what carries it is linked.
        span.links = (carried,)
    return span


def record_unread(recorder: Recorder, traceparent: str | None, code: int) -> None:
    """Record what a client sent that never became a request, and the code it got.

    It could not be read, or belongs to a session that is not there.
    """
    attributes: dict[str, Attribute] = {METHOD: OTHER}
    with Span(OTHER, SpanKind.SERVER, _parent(traceparent), attributes, recorder) as span:
        span.mark_code(code)


def _parent(given: object) -> tuple[int, int] | None:
    return parse_traceparent(given) if isinstance(given, str) else None


def upstream_span(recorder: Recorder, method: str, name: str, server: str, url: URL) -> Span:
    """Open the span of one attempt at a server, under the current one."""
    attributes: dict[str, Attribute] = {
        "server.address": url.host or "",
        "server.port": url.port or 0,
        SERVER: server,
    }
    named = _describe(attributes, method, name)
    return Span(named, SpanKind.CLIENT, _above(), attributes, recorder)


def step(
    name: str, kind: SpanKind, attributes: dict[str, Attribute]
) -> AbstractContextManager[Span | None]:
    """Open the span of a part of the present request's work; nothing where there is no request."""
    above = current()
    return nullcontext() if above is None else above.child(name, kind, attributes)


def note(name: str, value: Attribute) -> None:
    """Write something down on the span of the request that is being answered, if one is."""
    span = current()
    if span is not None:
        span.attributes[name] = value


def link(to: tuple[int, int] | None) -> None:
    """Link the span of the request that is being answered to another, if there are both."""
    span = current()
    if span is not None and to is not None:
        span.links = (*span.links, to)


def current() -> Span | None:
    """Return the span of the request that is being answered, if one is."""
    above = trace.get_current_span()
    return above.span if isinstance(above, _Ambient) else None


def _above() -> tuple[int, int] | None:
    span = current()
    return None if span is None else span.ids


class _Ambient(NonRecordingSpan):
    """A span of ours for those who ask OpenTelemetry; few do, so nothing is made before."""

    def __init__(self, span: Span) -> None:
        self.span = span

    def get_span_context(self) -> SpanContext:
        span = self.span
        return SpanContext(span.trace_id, span.span_id, is_remote=False, trace_flags=_SAMPLED)


class Current:
    """Makes a span the ambient one for a block, so that log lines carry its ids."""

    __slots__ = ("_token", "span")

    def __init__(self, span: Span) -> None:
        self.span = span

    def __enter__(self) -> None:
        self._token = ambient.attach(ambient.Context({_KEY: _Ambient(self.span)}))

    def __exit__(self, *_: object) -> None:
        ambient.detach(self._token)


def note_target(span: Span, request: Request) -> None:
    """Name a request's span after what is called, where another name was asked for."""
    span.name = _describe(span.attributes, request.method, request.target)


def note_caller(span: Span, caller: Caller) -> None:
    """Write down on a request's span who asks, before it is known whether that may be."""
    span.attributes[AGENT] = caller.subject[:_NAME_CAP]


def note_call(span: Span, call: Call) -> None:
    """Write down on a request's span which server is called, and in whose depth."""
    attributes, caller = span.attributes, call.caller
    attributes[SERVER] = call.server
    if caller.depth:
        attributes[DEPTH] = caller.depth
    if call.tool is not None and call.tool.policy.waits:
        attributes[WAITS] = 1


def note_outcome(span: Span, outcome: Outcome) -> None:
    """Write down on a request's span where the answer came from, and how it went."""
    span.attributes[SOURCE] = outcome.provenance
    if outcome.age_ms:
        span.attributes[AGE_MS] = outcome.age_ms
    if outcome.error is not None:
        span.mark_code(outcome.error.code)
    elif outcome.is_error:
        span.attributes[ERROR] = "tool_error"
        told = wire.from_result(outcome.result)
        if told is not None:
            span.attributes[ERROR_CODE] = told.code.lower()


def note_defaults(span: Span, call: Call) -> None:
    """Write down which arguments the router has found by itself; their values are not told."""
    if call.defaulted:
        span.attributes[DEFAULTED] = ",".join(call.defaulted)


def parse_traceparent(traceparent: str) -> tuple[int, int] | None:
    """Return the trace id and the parent's span id; None for anything malformed.

    W3C Trace Context, section 3.2.
    """
    parts = traceparent.split("-", 4)
    if tuple(map(len, parts[:4])) != _TRACEPARENT or parts[0] == "ff":
        return None
    try:
        trace_id, span_id = int(parts[1], 16), int(parts[2], 16)
    except ValueError:
        return None
    return (trace_id, span_id) if trace_id and span_id else None


def _describe(attributes: dict[str, Attribute], method: str, target: str | None) -> str:
    """Add what the conventions ask for, and return the span's name."""
    if method not in _METHODS:
        attributes[METHOD] = OTHER
        return OTHER
    attributes[METHOD] = method
    key = _NAME_OF.get(method)
    if key is None or target is None:
        return method
    if method == "resources/read":
        attributes[key] = _without_secrets(target)[:_NAME_CAP]
        # A URI would give every resource a span name of its own.
        return method
    attributes[key] = target[:_NAME_CAP]
    if method == "tools/call":
        attributes[OPERATION] = "execute_tool"
    return f"{method} {target[:_NAME_CAP]}"


def _without_secrets(uri: str) -> str:
    """Return a URI without its user, query and fragment, which may hold keys and arguments."""
    scheme, mark, rest = uri.partition("?")[0].partition("#")[0].partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}{mark}{authority.rpartition('@')[2]}{slash}{path}"
