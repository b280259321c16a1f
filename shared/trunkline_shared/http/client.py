"""The one door through which this process asks vendors over HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from types import SimpleNamespace
from typing import Any, Final
from urllib.request import getproxies, proxy_bypass

import aiohttp
from multidict import CIMultiDictProxy
from opentelemetry import trace
from yarl import URL

from trunkline_shared.clock import Clock
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import UpstreamTimeout
from trunkline_shared.exchange import Response
from trunkline_shared.http.body import SUCCESSES, Take, handed, held
from trunkline_shared.http.network_failures import (
    Phase,
    bad_redirect,
    deadline_passed,
    network_failure,
    timed_out,
)
from trunkline_shared.http.outgoing import Outgoing
from trunkline_shared.http.redirects import HOPS, reported, target
from trunkline_shared.http.spans import exchange_span, note_answer, with_trace

CONNECT_S: Final = 5.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(slots=True)
class _Progress:
    """How far an exchange has come; aiohttp's trace hooks write the phase.

    A success's body goes `into` somebody's hands when there is one, and is held otherwise.
    """

    into: Take | None
    phase: Phase = "connect"
    received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpClient:
    """Performs single exchanges; it repeats nothing and knows no vendor."""

    session: aiohttp.ClientSession
    clock: Clock
    tracer: trace.Tracer

    async def send(self, request: Outgoing, into: Take | None = None) -> Response:
        """Exchange one request for its answer, whatever its status, following redirects of GET.

        With `into`, the body of a success is handed there chunk by chunk instead of being held;
        when it breaks off, what came before has been handed on. Raises NetworkError,
        UpstreamTimeout, TooLarge, and UpstreamUnavailable for a redirection that must not be
        followed.
        """
        now = request
        for _ in range(HOPS + 1):
            response = await self._exchange(now, into)
            following = target(now, response)
            if following is None:
                return reported(response, asked=request, answered=now)
            now = following
        raise bad_redirect(URL(request.url).host or "", f"there were more than {HOPS} in a row")

    async def _exchange(self, request: Outgoing, into: Take | None) -> Response:
        host = URL(request.url).host or ""
        try:
            seconds = remaining(request.timeout_s)
        except UpstreamTimeout:
            raise deadline_passed(host) from None
        progress = _Progress(into)
        with exchange_span(self.tracer, request) as span:
            traced = with_trace(request, span)
            response = await self._bounded(traced, seconds, progress)
            note_answer(span, response, progress.received)
            return response

    async def _bounded(self, request: Outgoing, seconds: float, progress: _Progress) -> Response:
        host = URL(request.url).host or ""
        try:
            async with asyncio.timeout(seconds):
                return await self._answer(request, host, progress)
        except aiohttp.ConnectionTimeoutError as error:
            raise network_failure(error, host, progress.phase) from None
        except TimeoutError:
            raise timed_out(host, seconds, progress.phase) from None
        except (aiohttp.ClientError, OSError) as error:
            raise network_failure(error, host, progress.phase) from None

    async def _answer(self, request: Outgoing, host: str, progress: _Progress) -> Response:
        async with self.session.request(
            request.method,
            URL(request.url),
            data=_in_pieces(request.body),
            headers=request.headers,
            allow_redirects=False,
            proxy=None if request.direct else proxy_for(request.url),
            trace_request_ctx=progress,
        ) as answer:
            if progress.into is not None and answer.status in SUCCESSES:
                progress.received = await handed(answer, host, request.body_cap, progress.into)
                body = b""
            else:
                body = await held(answer, host, request.body_cap)
                progress.received = len(body)
            return Response(
                status=answer.status,
                headers=_joined(answer.headers),
                body=body,
                url=str(answer.url),
                received_at=self.clock.now(),
            )


def _in_pieces(body: bytes | None) -> BytesIO | None:
    """Return a body that is written bit by bit: a large one must not hold up the event loop."""
    return None if body is None else BytesIO(body)


def _joined(headers: CIMultiDictProxy[str]) -> dict[str, str]:
    return {name.lower(): ", ".join(headers.getall(name)) for name in headers}


def proxy_for(url: str) -> str | None:
    """Return the proxy that this machine uses for a URL; never one for this machine.

    aiohttp's own `trust_env` would also read netrc and add its password to any request.
    """
    parts = URL(url)
    host = parts.host or ""
    if host in _LOOPBACK or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme)


async def _written(_: aiohttp.ClientSession, context: SimpleNamespace, __: Any) -> None:
    progress = context.trace_request_ctx
    assert isinstance(progress, _Progress)
    progress.phase = "exchange"


@asynccontextmanager
async def open_http(
    clock: Clock, *, connections: int = 100, connect_s: float = CONNECT_S
) -> AsyncIterator[HttpClient]:
    """Open the client; its connections are closed at the end of the block."""
    hooks = aiohttp.TraceConfig()
    hooks.on_request_headers_sent.append(_written)
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=connections, ttl_dns_cache=60),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=connect_s),
        trace_configs=[hooks],
        auto_decompress=True,
    ) as session:
        tracer = trace.get_tracer("trunkline_shared.http")
        yield HttpClient(session=session, clock=clock, tracer=tracer)
