"""A service on the wire: `/mcp`, `/sse`, `/healthz`, `/readyz`, or stdio."""

import argparse
import asyncio
import hmac
import signal
import socket
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
import uvloop
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import Field, SecretStr, model_validator
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from trunkline_shared import telemetry
from trunkline_shared.ending import Ending
from trunkline_shared.loopback import is_loopback
from trunkline_shared.server import ToolServer
from trunkline_shared.service import Service, SettingsT
from trunkline_shared.settings import ConfigurationError, Settings, load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.traced import traced

DEFAULT_PORT = 8480
OPEN_PATHS = frozenset({"/healthz", "/readyz"})
GRACE_S = 2


class ServeSettings(Settings):
    """Where a service listens, and the key that the router shows it."""

    service_host: str = "127.0.0.1"
    service_port: int = Field(DEFAULT_PORT, ge=0, le=65535)
    mesh_key: SecretStr | None = None

    @property
    def on_loopback(self) -> bool:
        return is_loopback(self.service_host)

    @model_validator(mode="after")
    def _no_open_door(self) -> "ServeSettings":
        if not self.on_loopback and self.mesh_key is None:
            raise ValueError(
                f"TRUNKLINE_SERVICE_HOST={self.service_host} is beyond loopback, and there is no "
                "mesh key: set TRUNKLINE_MESH_KEY to the router's value, or listen on 127.0.0.1"
            )
        return self


def application(server: ToolServer, settings: ServeSettings) -> Starlette:
    """Return the ASGI application of a server: Streamable HTTP of every era, HTTP+SSE, probes."""
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=settings.on_loopback,
        allowed_hosts=["127.0.0.1:*", "localhost:*", "[::1]:*"],
        allowed_origins=["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"],
    )
    app = server.streamable_http_app(transport_security=security, host=settings.service_host)
    app.routes.extend(server.sse_app(transport_security=security).routes)
    app.routes.append(Route("/healthz", _probe))
    app.routes.append(Route("/readyz", _probe))
    if settings.mesh_key is not None:
        app.add_middleware(RequireMeshKey, key=settings.mesh_key.get_secret_value())
    return app


async def _probe(_: Request) -> Response:
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
    """uvicorn without its signal handlers: several listeners share one process."""

    def __init__(self, config: uvicorn.Config, ending: Ending) -> None:
        super().__init__(config)
        self._ending = ending

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell what waits long, which then answers within the grace; then stop."""
        self._ending.begin()
        await super().shutdown(sockets)

    def end(self) -> None:
        """Stop taking requests and let those in flight finish within the grace."""
        self.should_exit = True


def listener(server: ToolServer, settings: ServeSettings) -> Listener:
    """Return the HTTP listener of a server, not yet listening."""
    return Listener(
        uvicorn.Config(
            application(server, settings),
            host=settings.service_host,
            port=settings.service_port,
            http="httptools",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE_S,
        ),
        server.ending,
    )


async def serve_http(
    service: Service[SettingsT], settings: ServeSettings, on: socket.socket | None = None
) -> None:
    """Serve over HTTP until cancelled or told to end by SIGINT or SIGTERM."""
    async with _opened(service) as server:
        http = listener(server, settings)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, http.end)
        await http.serve(sockets=[on] if on is not None else None)


@asynccontextmanager
async def _opened(service: Service[SettingsT]) -> AsyncIterator[ToolServer]:
    async with (
        open_store(load(StoreSettings)) as store,
        service.open_from_environment(traced(store)) as server,
    ):
        yield server


async def serve_stdio(service: Service[SettingsT]) -> None:
    """Serve one client over standard input and output."""
    async with _opened(service) as server:
        await server.run_stdio_async()


def main(service: Service[Any], argv: Sequence[str] | None = None) -> None:
    """Run one service on its own: the whole of a service's `__main__`."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {service.open.__module__.partition('.')[0]}",
        description=f"The {service.id} MCP server on its own.",
    )
    parser.add_argument("--stdio", action="store_true", help="serve over stdin and stdout")
    parser.add_argument("--version", action="version", version=service.version)
    for option in service.options:
        parser.add_argument(
            option.flag, dest=option.field, metavar=option.metavar, help=option.help
        )
    given = vars(parser.parse_args(argv))
    stdio: bool = given.pop("stdio")
    chosen = service.with_given({key: value for key, value in given.items() if value is not None})
    try:
        telemetry.set_up(service.container, service.version, tells_router=True)
        run_until_done(serve_stdio(chosen) if stdio else serve_http(chosen, load(ServeSettings)))
    except ConfigurationError as error:
        sys.exit(f"{service.container}: {error}")
    finally:
        telemetry.flush()


def run_until_done(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` on the fast loop; Ctrl-C is a normal end."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            runner.run(work)
        except KeyboardInterrupt:
            return
