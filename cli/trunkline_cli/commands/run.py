"""`trunkline run`: the mesh on this machine, until Ctrl-C."""

import argparse
import asyncio
import importlib
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from trunkline_cli import terminal
from trunkline_cli.announcement import Start, announce_start, examples
from trunkline_cli.environment import router_address
from trunkline_cli.failure import OK
from trunkline_cli.host_report import HostReport
from trunkline_cli.mesh import Mesh, prepare
from trunkline_cli.router_answers import Json
from trunkline_cli.router_client import RouterClient
from trunkline_cli.running import Job, run_mesh
from trunkline_cli.version import installed_version
from trunkline_router.configuration.file import DEFAULT_NAME, configuration_path
from trunkline_shared.leaving import leave

DEMO = "serve stand-ins of GitHub, Basecamp and Jira, which need no account"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the demo, and how much is logged."""
    parser.add_argument("--demo", action="store_true", help=DEMO)
    parser.add_argument("-v", "--verbose", action="store_true", help="log what happens")


def run(arguments: argparse.Namespace) -> int:
    """Run until Ctrl-C or SIGTERM, which are a normal end."""
    began = time.monotonic()
    log_level = "INFO" if arguments.verbose else "WARNING"
    address = router_address()
    mesh = prepare(host=address.host, port=address.port, log_level=log_level, demo=arguments.demo)
    names = ", ".join(mesh.settings.urls)
    terminal.say(f"trunkline {installed_version()}: starting the router and {names} ...")

    async def announce(report: HostReport) -> None:
        status = await asyncio.to_thread(_status, mesh)
        seconds = time.monotonic() - began
        announce_start(
            Start(
                address=mesh.public,
                configuration=_configuration(mesh),
                status=status,
                seconds=seconds,
                warnings=() if arguments.demo else report.warnings,
                keyed=_own_access().wants_keys(mesh),
            )
        )
        if arguments.demo:
            terminal.say(examples(mesh.local.port, mesh.plan.servers, "in a second terminal"))
        terminal.say(terminal.paint("Ctrl-C ends it.", "dim"))
        await asyncio.get_running_loop().create_future()

    async def excuse() -> None:
        status = await asyncio.to_thread(_status, mesh)
        terminal.say(f"waiting for {_missing(status)}; {mesh.public.mcp} already answers ...")

    run_mesh(mesh, Job(work=announce, wait=excuse))
    terminal.say("trunkline has ended.")
    leave(OK)


def _own_access() -> ModuleType:
    """Import what signs tokens, which the servers' process need not wait for to be started."""
    return importlib.import_module("trunkline_cli.own_access")


def _missing(status: Json) -> str:
    servers: dict[str, Json] = status.get("servers", {})
    return ", ".join(name for name, server in servers.items() if not server.get("available"))


def _status(mesh: Mesh) -> Json:
    with RouterClient(replace(mesh.local, key=_own_access().own_token(mesh, "observe"))) as router:
        return router.get("/status")


def _configuration(mesh: Mesh) -> str:
    """Say which file was read: with `make -C` it is not that of the directory one stands in."""
    path = configuration_path(mesh.settings.config)
    return str(path.absolute()) if path else f"none; there is no {Path.cwd() / DEFAULT_NAME}"
