"""`trunkline run`: the mesh on this machine, until Ctrl-C."""

import argparse
import asyncio
import importlib
import time
from dataclasses import replace
from pathlib import Path

from trunkline_cli import terminal
from trunkline_cli.announcement import Start, announce_start, examples
from trunkline_cli.environment import router_address
from trunkline_cli.failure import OK
from trunkline_cli.mesh import Mesh, prepare
from trunkline_cli.own_access import own_token, wants_keys
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
    version = installed_version()
    names = ", ".join(mesh.settings.urls)
    terminal.say(f"trunkline {version}: starting the router and {names} ...")

    async def announce() -> None:
        status = await asyncio.to_thread(_status, mesh)
        seconds = time.monotonic() - began
        warnings = [] if arguments.demo else await _warnings(mesh)
        announce_start(
            Start(
                address=mesh.public,
                configuration=_configuration(mesh),
                status=status,
                seconds=seconds,
                warnings=warnings,
                keyed=wants_keys(mesh),
            )
        )
        if arguments.demo:
            terminal.say(examples(mesh.local.port, mesh.plan.servers, "in a second terminal"))
        terminal.say(terminal.paint("Ctrl-C ends it.", "dim"))
        await asyncio.get_running_loop().create_future()

    async def excuse() -> None:
        status = await asyncio.to_thread(_status, mesh)
        terminal.say(f"waiting for {_missing(status)}; {mesh.public.mcp} already answers ...")

    run_mesh(mesh, Job(work=announce, wait=excuse), version=version, log_level=log_level)
    terminal.say("trunkline has ended.")
    leave(OK)


async def _warnings(mesh: Mesh) -> list[str]:
    # Imported now: the servers need not wait for it to be started, and the demo not at all.
    looking = await asyncio.to_thread(importlib.import_module, "trunkline_cli.credential_warnings")
    found: list[str] = await looking.warnings_of(mesh.plan.servers)
    return found


def _missing(status: Json) -> str:
    servers: dict[str, Json] = status.get("servers", {})
    return ", ".join(name for name, server in servers.items() if not server.get("available"))


def _status(mesh: Mesh) -> Json:
    with RouterClient(replace(mesh.local, key=own_token(mesh, "observe"))) as router:
        return router.get("/status")


def _configuration(mesh: Mesh) -> str:
    """Say which file was read: with `make -C` it is not that of the directory one stands in."""
    path = configuration_path(mesh.settings.config)
    return str(path.absolute()) if path else f"none; there is no {Path.cwd() / DEFAULT_NAME}"
