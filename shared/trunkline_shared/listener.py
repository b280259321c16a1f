"""A server on the wire: what it serves to whom, and the order in which that ends."""

import asyncio
import hmac
import socket
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import Field, SecretStr, model_validator
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from trunkline_shared.departure import Departure
from trunkline_shared.ending import Ending
from trunkline_shared.in_hand import InHand
from trunkline_shared.loopback import is_loopback
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import Settings

DEFAULT_PORT = 8480
OPEN_PATHS = frozenset({"/healthz", "/readyz"})
STREAMS = ("/mcp", "/sse")
CLOSE_S = 1
_HURRY_S = 0.5


class ServeSettings(Settings):
    """Where a service listens, the key that the router shows it, and how it ends."""

    service_host: str = "127.0.0.1"
    """The address that a server listens on; beyond loopback it needs the mesh key."""
    service_port: int = Field(DEFAULT_PORT, ge=0, le=65535)
    """The port that a server listens on."""
    mesh_key: SecretStr | None = None
    """What the router shows its servers, the same on both sides: a server with it answers nobody
    else.
    """
    drain_s: float | None = Field(None, ge=0)
    """How long everything is still served once it is to end and `/readyz` says so. 0 on loopback,
    else 5.
    """
    finish_s: float = Field(30, ge=0)
    """How long calls in flight may take then."""

    @property
    def on_loopback(self) -> bool:
        return is_loopback(self.service_host)

    @property
    def grace_s(self) -> float:
        """How long everything is still served once the server is to end; seconds."""
        return (0 if self.on_loopback else 5) if self.drain_s is None else self.drain_s

    @model_validator(mode="after")
    def _no_open_door(self) -> "ServeSettings":
        if not self.on_loopback and self.mesh_key is None:
            raise ValueError(
                f"TRUNKLINE_SERVICE_HOST={self.service_host} is beyond loopback, and there is no "
                "mesh key: set TRUNKLINE_MESH_KEY to the router's value, or listen on 127.0.0.1"
            )
        return self


def application(server: ToolServer, settings: ServeSettings, departure: Departure) -> Starlette:
    """Return the ASGI application of a server: Streamable HTTP of every era, HTTP+SSE, probes."""
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=settings.on_loopback,
        allowed_hosts=["127.0.0.1:*", "localhost:*", "[::1]:*"],
        allowed_origins=["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"],
    )

    async def ready(_: Request) -> Response:
        if departure.begun:
            return JSONResponse({"status": "ending"}, 503)
        return JSONResponse({"status": "ok"})

    app = server.streamable_http_app(transport_security=security, host=settings.service_host)
    app.routes.extend(server.sse_app(transport_security=security).routes)
    app.routes.append(Route("/healthz", _alive))
    app.routes.append(Route("/readyz", ready))
    if settings.mesh_key is not None:
        app.add_middleware(RequireMeshKey, key=settings.mesh_key.get_secret_value())
    return app


async def _alive(_: Request) -> Response:
    return JSONResponse({"status": "ok"})


class RequireMeshKey:
    """Let only the router in: everything but the probes needs the mesh key."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app = app
        self._expected = f"Bearer {key}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in OPEN_PATHS:
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, self._expected):
                refusal = JSONResponse({"error": "this server answers its router only"}, 401)
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


class Listener(uvicorn.Server):
    """uvicorn without its signal handlers, and with an end in order.

    For `drain_s` everything is served as before, so that whoever shares out connections sees that
    readiness has gone and sends no new ones. Then the listening socket closes, streams and waits
    end, and calls may take `finish_s`; those that take longer are told so.
    """

    def __init__(
        self, config: uvicorn.Config, in_hand: InHand, ending: Ending, settings: ServeSettings
    ) -> None:
        super().__init__(config)
        self._in_hand = in_hand
        self._ending = ending
        self._settings = settings

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        await _first(super().main_loop(), self._in_hand.departure.wait())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End in order; quickly, unless the departure is a gentle one."""
        departure = self._in_hand.departure
        if not departure.begun:
            departure.begin()
        await departure.grace(self._settings.grace_s)
        for server in self.servers:
            server.close()
        self._in_hand.end_streams()
        self._ending.begin()
        await _first(self._in_hand.idle(), self._patience())
        self._ending.cut_short()
        await super().shutdown(sockets)

    def end(self) -> None:
        """Stop taking requests, and wait for little."""
        self._in_hand.departure.begin()

    async def _patience(self) -> None:
        departure = self._in_hand.departure
        await departure.grace(self._settings.finish_s)
        if departure.hurried:
            await asyncio.sleep(_HURRY_S)


async def _first(*works: Coroutine[Any, Any, None]) -> None:
    """Do all of these until one of them is done."""
    async with asyncio.TaskGroup() as tasks:
        doing = [tasks.create_task(work) for work in works]
        await asyncio.wait(doing, return_when=asyncio.FIRST_COMPLETED)
        for one in doing:
            one.cancel()


def listener(
    server: ToolServer, settings: ServeSettings, departure: Departure | None = None
) -> Listener:
    """Return the HTTP listener of a server, not yet listening; it ends with `departure`."""
    departure = departure or Departure()
    app = application(server, settings, departure)
    in_hand = InHand(app=app, departure=departure, streams=STREAMS)
    config = uvicorn.Config(
        in_hand,
        host=settings.service_host,
        port=settings.service_port,
        http="httptools",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=CLOSE_S,
    )
    return Listener(config, in_hand, server.ending, settings)
