"""One request to a router, in the protocol's latest era, and one of its own pages."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import orjson
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    encode_header_value,
)
from mcp_types.version import LATEST_MODERN_VERSION
from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from trunkline_shared import meta
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import (
    NetworkError,
    TooLarge,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Response
from trunkline_shared.http.client import HttpClient
from trunkline_shared.http.outgoing import MIB, Outgoing
from trunkline_shared.mesh.answers import Json, is_object, result_of
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.mesh.hearing import Hearing, Told

BODY_CAP: Final = 16 * MIB
CALL: Final = "tools/call"
_NAMED: Final[Mapping[str, str]] = {CALL: "name", "prompts/get": "name", "resources/read": "uri"}
_TRACE = TraceContextTextMapPropagator()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Asks a router; `name` and `version` are those of the program that asks."""

    http: HttpClient
    name: str
    version: str
    tracer: trace.Tracer = field(default=trace.get_tracer(__name__))
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    async def ask(
        self,
        to: Entrance,
        method: str,
        params: Json,
        timeout_s: float,
        told: Told | None = None,
    ) -> Json:
        """Return the result of one request as it is, within the present deadline.

        `told` hears of its progress. A tool's own failure is a result with `isError`. Raises
        UpstreamTimeout and NetworkError, whose `details.phase` is `exchange` when the request may
        have arrived, and what `result_of` does.
        """
        target = str(params.get(_NAMED.get(method, ""), ""))
        named = {"gen_ai.tool.name": target} if method == CALL else {}
        with self.tracer.start_as_current_span(
            f"{method} {target}".strip(),
            kind=SpanKind.CLIENT,
            attributes={"mcp.method.name": method, **named},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                return await self._asked(to, method, params, remaining(timeout_s), told)
            except TrunklineError as error:
                _note(span, error)
                raise

    async def page(
        self, to: Entrance, path: str, timeout_s: float, body: Json | None = None
    ) -> tuple[int, Json]:
        """Return status and JSON of one of the router's pages; a body makes it a POST.

        Raises UpstreamTimeout, NetworkError, UpstreamUnavailable for what is no JSON.
        """
        content = {"Content-Type": "application/json"} if body is not None else {}
        request = Outgoing(
            method="GET" if body is None else "POST",
            url=to.page(path),
            headers={**to.headers, **content},
            body=None if body is None else orjson.dumps(body),
            template=path,
            timeout_s=remaining(timeout_s),
            body_cap=BODY_CAP,
            direct=True,
        )
        response = await self._sent(path, request)
        try:
            answer = orjson.loads(response.body)
        except orjson.JSONDecodeError:
            answer = None
        if not is_object(answer):
            raise UpstreamUnavailable(f"The router answered {path} with HTTP {response.status}.")
        return response.status, answer

    async def _asked(
        self, to: Entrance, method: str, params: Json, timeout_s: float, told: Told | None
    ) -> Json:
        number = next(self._numbers)
        target = str(params.get(_NAMED.get(method, ""), ""))
        subject = target or method
        token = {"progressToken": number}
        request = Outgoing(
            method="POST",
            url=to.url,
            headers=_headers(to, method, target),
            body=self._body(number, method, params, timeout_s, {} if told is None else token),
            template="/mcp",
            timeout_s=timeout_s,
            body_cap=BODY_CAP,
            direct=True,
        )
        return result_of(subject, await self._sent(subject, request, told), number)

    async def _sent(self, subject: str, request: Outgoing, told: Told | None = None) -> Response:
        try:
            if told is not None:
                return await Hearing(told=told).of(self.http, request)
            return await self.http.send(request)
        except UpstreamTimeout as error:
            raise UpstreamTimeout(
                f"{subject} did not answer within {request.timeout_s:.3g} s.", details=_phase(error)
            ) from None
        except NetworkError as error:
            raise NetworkError(
                f"The router could not be reached for {subject}.", details=_phase(error)
            ) from None
        except TooLarge:
            raise TooLarge(
                f"The answer to {subject} has more than {request.body_cap} bytes.",
                hint="Ask for a smaller part of it.",
            ) from None
        except UpstreamUnavailable:
            raise UpstreamUnavailable(
                f"The router sent a redirection for {subject} that was not followed.",
                retryable=False,
            ) from None

    def _body(self, number: int, method: str, params: Json, timeout_s: float, asked: Json) -> bytes:
        about: dict[str, str] = {}
        _TRACE.inject(about)
        envelope = {
            **asked,
            **about,
            meta.PROTOCOL_VERSION: LATEST_MODERN_VERSION,
            meta.CLIENT_CAPABILITIES: {},
            meta.CLIENT_INFO: {"name": self.name, "version": self.version},
            meta.DEADLINE_MS: max(int(timeout_s * 1000), 1),
        }
        whole = {**params, "_meta": envelope}
        return orjson.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": whole})


def _headers(to: Entrance, method: str, target: str) -> dict[str, str]:
    named = {MCP_NAME_HEADER: encode_header_value(target)} if target else {}
    return {
        **to.headers,
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        MCP_PROTOCOL_VERSION_HEADER: LATEST_MODERN_VERSION,
        MCP_METHOD_HEADER: method,
        **named,
    }


def _phase(error: TrunklineError) -> dict[str, object]:
    """Return what may be told of a failure on the way; the router's address is not."""
    return {"phase": error.details["phase"]} if "phase" in error.details else {}


def _note(span: Span, error: TrunklineError) -> None:
    span.set_attribute("error.type", error.code)
    span.set_status(Status(StatusCode.ERROR, error.code))
