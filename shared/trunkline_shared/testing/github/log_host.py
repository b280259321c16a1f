"""The host behind GitHub's log links: a blob store of another origin, which wants no token."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

from aiohttp import web

from trunkline_shared.exchange import Response
from trunkline_shared.testing.github.generated_log import GeneratedLog
from trunkline_shared.testing.github.log_links import LogLinks
from trunkline_shared.testing.loopback import address, free_socket
from trunkline_shared.testing.stand_in.delivery import deliver, reset
from trunkline_shared.testing.stand_in.faults import (
    AnswerWith,
    CutBeforeReading,
    Fault,
    Faults,
    TruncatedBody,
)

PLAIN = {"content-type": "text/plain; charset=utf-8", "x-ms-request-id": "stand-in"}
XML = {"content-type": "application/xml"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """One request for a log; header names in lower case."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]


@dataclass(slots=True, kw_only=True)
class LogHost:
    """Serves the logs behind `links`; break it through `faults`, read `fetched` afterwards.

    It refuses every request that carries a credential, as the blob store does. With `compress`
    it sends gzip. Of the faults, logs that are streamed (generated, compressed) know cuts only.
    It listens on the socket `on`, else on a free port of the loopback.
    """

    links: LogLinks
    faults: Faults[Fault] = field(default_factory=Faults)
    fetched: list[Fetched] = field(default_factory=list)
    compress: bool = False
    on: socket.socket | None = None
    _runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen where the links lead from now on."""
        listening = self.on or free_socket()
        self.links.base = address(listening)
        app = web.Application()
        app.router.add_get("/{path:.*}", self._serve)
        runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await runner.setup()
        await web.SockSite(runner, listening).start()
        self._runner = runner

    async def stop(self) -> None:
        """Close the port."""
        self.faults.clear()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def credentials_seen(self) -> list[str]:
        """The credentials that reached this host: there should be none."""
        names = ("authorization", "cookie", "proxy-authorization")
        return [one.headers[n] for one in self.fetched for n in names if n in one.headers]

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.fetched.append(Fetched(path=request.path, query=dict(request.query), headers=headers))
        fault = self.faults.next_for("GET", request.path, "")
        if isinstance(fault, CutBeforeReading):
            return reset(request)
        if isinstance(fault, AnswerWith):
            body = fault.body.encode() if isinstance(fault.body, str) else b""
            return web.Response(status=fault.status, headers=dict(fault.headers), body=body)
        log = self._log_for(headers, request.query.get("sig", ""))
        if isinstance(log, web.Response):
            return log
        if isinstance(log, GeneratedLog) or self.compress:
            return await self._streamed(request, log, fault)
        answer = Response(status=200, headers=PLAIN, body=log, url="")
        return await deliver(request, answer, fault)

    def _log_for(
        self, headers: Mapping[str, str], signature: str
    ) -> bytes | GeneratedLog | web.Response:
        """Return the log that a link leads to, or the refusal."""
        if "authorization" in headers:
            return _refused(400, "InvalidAuthenticationInfo")
        link = self.links.find(signature)
        if link is None:
            return _refused(403, "AuthenticationFailed")
        return _refused(404, "BlobNotFound") if link.job.log is None else link.job.log

    async def _streamed(
        self, request: web.Request, log: GeneratedLog | bytes, fault: Fault | None
    ) -> web.StreamResponse:
        stream = web.StreamResponse(headers=PLAIN)
        if self.compress:
            stream.enable_compression(web.ContentCoding.gzip)
        else:
            stream.content_length = len(log)
        await stream.prepare(request)
        left = len(log) // 2 if isinstance(fault, TruncatedBody) else len(log)
        for chunk in log.chunks() if isinstance(log, GeneratedLog) else (log,):
            await stream.write(chunk[:left])
            left -= len(chunk)
            if left < 0 and request.transport is not None:
                request.transport.close()
                return stream
        await stream.write_eof()
        return stream


def _refused(status: int, code: str) -> web.Response:
    body = f'<?xml version="1.0" encoding="utf-8"?><Error><Code>{code}</Code></Error>'
    return web.Response(status=status, headers=XML, body=body.encode())
