"""Calling the mesh's tools in the name of the present call's caller, through the router."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeGuard

import orjson
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    encode_header_value,
)
from mcp_types.jsonrpc import INVALID_PARAMS
from mcp_types.version import LATEST_MODERN_VERSION
from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from trunkline_shared import meta, wire
from trunkline_shared.deadline import remaining
from trunkline_shared.delegation import NOT_OFFERED, Delegated, delegated
from trunkline_shared.errors import (
    AuthError,
    BlockedByPolicy,
    NetworkError,
    TrunklineError,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Response
from trunkline_shared.http.client import HttpClient
from trunkline_shared.http.outgoing import MIB, Outgoing
from trunkline_shared.untrusted import sanitize

BODY_CAP: Final = 16 * MIB
_SHOWN = 200
_CALL = "tools/call"
_TRACE = TraceContextTextMapPropagator()

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshCaller:
    """Asks the router, with nothing but what the present call was delegated.

    `name` and `version` are those of the server that asks.
    """

    http: HttpClient
    name: str
    version: str
    tracer: trace.Tracer = field(default=trace.get_tracer(__name__))
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    async def call(self, tool: str, arguments: Json, timeout_s: float) -> Json:
        """Call a tool once and return its structured content, within the present deadline.

        Raises what the tool does; Unsupported when nothing is delegated or the mesh has no such
        tool, BlockedByPolicy when the caller's context does not offer it, AuthError, NetworkError,
        UpstreamTimeout, UpstreamUnavailable.
        """
        to = delegated()
        if to is None:
            raise Unsupported(
                f"{tool} is a tool of another server, and this call came without a delegation.",
                hint="Ask through the router.",
            )
        with self.tracer.start_as_current_span(
            f"{_CALL} {tool}",
            kind=SpanKind.CLIENT,
            attributes={"mcp.method.name": _CALL, "gen_ai.tool.name": tool},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                return await self._called(to, tool, arguments, remaining(timeout_s))
            except TrunklineError as error:
                _note(span, error)
                raise

    async def _called(self, to: Delegated, tool: str, arguments: Json, timeout_s: float) -> Json:
        number = next(self._numbers)
        request = Outgoing(
            method="POST",
            url=to.url,
            headers=_headers(to, tool),
            body=self._body(number, tool, arguments, timeout_s),
            template="/mcp",
            timeout_s=timeout_s,
            body_cap=BODY_CAP,
            direct=True,
        )
        try:
            response = await self.http.send(request)
        except UpstreamTimeout:
            raise UpstreamTimeout(f"{tool} did not answer within {timeout_s:.3g} s.") from None
        except NetworkError:
            raise NetworkError(f"The router could not be reached for {tool}.") from None
        return _result(tool, _answer(response, number))

    def _body(self, number: int, tool: str, arguments: Json, timeout_s: float) -> bytes:
        about: dict[str, str] = {}
        _TRACE.inject(about)
        envelope = {
            **about,
            meta.PROTOCOL_VERSION: LATEST_MODERN_VERSION,
            meta.CLIENT_CAPABILITIES: {},
            meta.CLIENT_INFO: {"name": self.name, "version": self.version},
            meta.DEADLINE_MS: max(int(timeout_s * 1000), 1),
        }
        params = {"name": tool, "arguments": dict(arguments), "_meta": envelope}
        return orjson.dumps({"jsonrpc": "2.0", "id": number, "method": _CALL, "params": params})


def _headers(to: Delegated, tool: str) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {to.token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        MCP_PROTOCOL_VERSION_HEADER: LATEST_MODERN_VERSION,
        MCP_METHOD_HEADER: _CALL,
        MCP_NAME_HEADER: encode_header_value(tool),
    }


def _note(span: Span, error: TrunklineError) -> None:
    span.set_attribute("error.type", error.code)
    span.set_status(Status(StatusCode.ERROR, error.code))


def _answer(response: Response, number: int) -> Json:
    """Return the one message that answers request `number`."""
    for message in _messages(response):
        if "method" not in message and message.get("id") in {number, None}:
            return message
    raise UpstreamUnavailable(f"The router answered HTTP {response.status}, and not MCP.")


def _messages(response: Response) -> Iterator[Json]:
    bodies = [response.body]
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        bodies = _events(response.body)
    for body in bodies:
        try:
            message = orjson.loads(body)
        except orjson.JSONDecodeError:
            continue
        if _is_object(message):
            yield message


def _events(stream: bytes) -> list[bytes]:
    blocks = stream.replace(b"\r\n", b"\n").split(b"\n\n")
    lines = ([line for line in block.split(b"\n") if line.startswith(b"data:")] for block in blocks)
    return [b"\n".join(line[5:].strip() for line in data) for data in lines if data]


def _result(tool: str, message: Json) -> Json:
    error, result = message.get("error"), message.get("result")
    if _is_object(error):
        raise _refusal(tool, error)
    if not _is_object(result):
        raise UpstreamUnavailable(f"The answer to {tool} has neither a result nor an error.")
    if result.get("isError") is True:
        raise wire.from_result(result) or UpstreamUnavailable(f"{tool} failed: {_text(result)}")
    answer = result.get("structuredContent")
    if not _is_object(answer):
        raise UpstreamUnavailable(f"{tool} answered without structured content.")
    return answer


def _refusal(tool: str, error: Json) -> TrunklineError:
    """Return what a JSON-RPC error means for the one who asks in somebody's name."""
    said = sanitize(str(error.get("message", "")))[:_SHOWN]
    data = error.get("data")
    reason = data.get("reason") if _is_object(data) else None
    failed = wire.from_payload(data)
    if failed is not None:
        return failed
    if reason == "invalid_token":
        return AuthError(f"The router refused the token for {tool}: {said}")
    if reason == NOT_OFFERED:
        return BlockedByPolicy(said, details={"reason": NOT_OFFERED})
    if error.get("code") == INVALID_PARAMS:
        return Unsupported(f"The mesh has no {tool}: {said}", hint="Is its server running?")
    return UpstreamUnavailable(f"The router refused {tool}: {said}")


def _text(result: Json) -> str:
    content = result.get("content")
    first = content[0] if isinstance(content, Sequence) and content else None
    text = first.get("text") if _is_object(first) else None
    return sanitize(text)[:_SHOWN] if isinstance(text, str) else "(no text)"


def _is_object(value: object) -> TypeGuard[Json]:
    return isinstance(value, Mapping)
