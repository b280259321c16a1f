"""A service as a program: over HTTP or stdio, until it is told to end."""

import argparse
import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

import uvloop

from trunkline_shared import telemetry
from trunkline_shared.departure import Departure
from trunkline_shared.leaving import leave
from trunkline_shared.listener import ServeSettings, listener
from trunkline_shared.server import ToolServer
from trunkline_shared.service import Service, SettingsT
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.signals import obeying_signals
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.traced import traced


async def serve_http(
    service: Service[SettingsT], settings: ServeSettings, on: socket.socket | None = None
) -> None:
    """Serve over HTTP until cancelled or told to end by SIGINT or SIGTERM.

    SIGTERM lets calls in flight finish; SIGINT waits for little, and so does any second signal.
    """
    departure = Departure()
    with obeying_signals(departure):
        async with _opened(service) as server:
            http = listener(server, settings, departure)
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
    leave()


def run_until_done(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` on the fast loop; Ctrl-C is a normal end."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            runner.run(work)
        except KeyboardInterrupt:
            return
