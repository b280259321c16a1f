"""Serving several servers in one process, each started again by itself when it fails."""

import asyncio
import importlib
import logging
import signal
import socket
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from trunkline_cli import terminal
from trunkline_cli.backoff import Backoff
from trunkline_cli.credential_warnings import warnings_of
from trunkline_cli.default_repository import VARIABLE, name_default_repository
from trunkline_cli.environment import variable
from trunkline_cli.failure import MISCONFIGURED, OK
from trunkline_cli.host import HostedServer
from trunkline_cli.host_report import HostReport, tell
from trunkline_cli.version import installed_version
from trunkline_shared import telemetry
from trunkline_shared.launch import importing
from trunkline_shared.leaving import leave
from trunkline_shared.listener import Listener, ServeSettings, listener
from trunkline_shared.serve import run_until_done
from trunkline_shared.service import Service
from trunkline_shared.settings import ConfigurationError, Settings, load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.store import Store
from trunkline_shared.store.traced import traced

log = logging.getLogger(__name__)


def main(
    servers: Sequence[HostedServer],
    stand_ins: Mapping[str, int],
    report_to: int | None = None,
) -> None:
    """Serve each server on its listening descriptor until SIGTERM."""
    try:
        telemetry.set_up("servers", installed_version(), tells_router=True)
        with importing():
            check_configuration(servers)
        run_until_done(_host(servers, stand_ins, report_to))
    except ConfigurationError as error:
        for line in str(error).splitlines():
            terminal.complain(line)
        leave(MISCONFIGURED)
    finally:
        telemetry.flush()
    leave(OK)


def check_configuration(servers: Sequence[HostedServer]) -> None:
    """Load the settings of the store and of every server, before any of them starts.

    Raises ConfigurationError with each complaint once. A module that cannot be imported is its
    server's own trouble, and told when that one starts.
    """
    complaints = dict.fromkeys(_complaints(StoreSettings))
    for server in servers:
        with suppress(ImportError):
            service: Service[Settings] = importlib.import_module(server.module).SERVICE
            complaints |= dict.fromkeys(_complaints(service.settings))
    if complaints:
        raise ConfigurationError("\n".join(complaints))


def _complaints(settings: type[Settings]) -> list[str]:
    try:
        load(settings)
    except ConfigurationError as error:
        return str(error).splitlines()
    return []


async def _host(
    servers: Sequence[HostedServer], stand_ins: Mapping[str, int], report_to: int | None
) -> None:
    end = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end.set)
    settings = load(ServeSettings)
    await _name_default_repository()
    if report_to is not None:
        tell(report_to, await _report(server.id for server in servers))
    async with open_store(load(StoreSettings)) as opened, asyncio.TaskGroup() as tasks:
        store = traced(opened)
        if stand_ins:
            demo = importlib.import_module("trunkline_cli.demo_stand_ins")
            for vendor, descriptor in stand_ins.items():
                tasks.create_task(demo.serve(vendor, socket.socket(fileno=descriptor), end))
        for server in servers:
            on = socket.socket(fileno=server.descriptor)
            hosted = Hosted(
                id=server.id, module=server.module, on=on, settings=settings, store=store, end=end
            )
            tasks.create_task(hosted.keep_serving())


async def _name_default_repository() -> None:
    """Look for the default repository; without one, the servers still serve."""
    try:
        await name_default_repository()
    except ConfigurationError as error:
        log.warning("no default repository: %s", error)
    except Exception:
        log.exception("the default repository cannot be found out")


async def _report(servers: Iterable[str]) -> HostReport:
    warnings: Sequence[str] = ()
    try:
        warnings = await warnings_of(servers)
    except Exception:
        log.exception("the credentials cannot be looked at")
    return HostReport(repository=variable(VARIABLE), warnings=tuple(warnings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosted:
    """One server on its socket; its failures stay here."""

    id: str
    module: str
    on: socket.socket
    settings: ServeSettings
    store: Store
    end: asyncio.Event
    backoff: Backoff = field(default_factory=Backoff)

    async def keep_serving(self) -> None:
        """Serve until `end`, starting again after each failure."""
        while not self.end.is_set():
            self.backoff.begin()
            try:
                await self._serve()
            except ConfigurationError as error:
                log.error("%s cannot start: %s", self.id, error)  # noqa: TRY400 - it says all
            except Exception:
                log.exception("%s failed", self.id)
            if not self.end.is_set():
                await self._pause(self.backoff.pause())

    async def _serve(self) -> None:
        service: Service[Settings] = importlib.import_module(self.module).SERVICE
        async with service.open_from_environment(self.store) as server:
            http = listener(server, self.settings)
            async with _ending(http, self.end):
                await _listened(http, self.on.dup())
        if not self.end.is_set():
            raise RuntimeError("it stopped serving without being told to")

    async def _pause(self, seconds: float) -> None:
        """Wait, hanging up on who connects meanwhile: an error at once beats a call that hangs."""
        log.warning("%s starts again in %g s", self.id, seconds)
        async with await asyncio.start_server(_hang_up, sock=self.on.dup()):
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self.end.wait()


async def _listened(http: Listener, on: socket.socket) -> None:
    """Listen until told to end; a listener that is torn away closes what it has opened."""
    try:
        await http.serve(sockets=[on])
    finally:
        if http.started and not http.should_exit:
            await http.shutdown([on])


@asynccontextmanager
async def _ending(http: Listener, end: asyncio.Event) -> AsyncIterator[None]:
    """Tell a listener to end when `end` is set during the block."""

    async def watch() -> None:
        await end.wait()
        http.should_exit = True

    async with asyncio.TaskGroup() as tasks:
        watching = tasks.create_task(watch())
        yield
        watching.cancel()


def _hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()
