"""`trunkline run`: the mesh on this machine, until Ctrl-C."""

import argparse
import asyncio
import importlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trunkline_cli import terminal
from trunkline_cli.demo import EXAMPLES
from trunkline_cli.environment import API_KEY, DEFAULT_PORT, router_address
from trunkline_cli.failure import OK
from trunkline_cli.invocation import invocation
from trunkline_cli.leaving import leave
from trunkline_cli.mesh import Mesh, prepare
from trunkline_cli.own_access import own_token, wants_keys
from trunkline_cli.router_answers import Json
from trunkline_cli.router_client import RouterClient
from trunkline_cli.running import Job, run_mesh
from trunkline_cli.version import installed_version
from trunkline_router.configuration.file import DEFAULT_NAME, configuration_path
from trunkline_shared.client.configuration import configurations

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
        _announce(Start(mesh=mesh, status=status, seconds=seconds, warnings=warnings))
        if arguments.demo:
            terminal.say(_examples(mesh))
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


def _examples(mesh: Mesh) -> str:
    """Return a command for each vendor that the demo serves."""
    known = [words for server, words in EXAMPLES.items() if server in mesh.plan.servers]
    lines = [f"  {_elsewhere(mesh)}{words}" for words in known]
    return "\n".join(["Try it, in a second terminal:", *lines, ""]) if lines else ""


def _elsewhere(mesh: Mesh) -> str:
    """Return how a second terminal calls this very mesh."""
    port = mesh.local.port
    variable = "" if port == DEFAULT_PORT else f"TRUNKLINE_PORT={port} "
    return f"{variable}{invocation()} "


def _missing(status: Json) -> str:
    servers: dict[str, Json] = status.get("servers", {})
    return ", ".join(name for name, server in servers.items() if not server.get("available"))


def _status(mesh: Mesh) -> Json:
    with RouterClient(replace(mesh.local, key=own_token(mesh, "observe"))) as router:
        return router.get("/status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What there is to say about a mesh that has just become ready."""

    mesh: Mesh
    status: Json
    seconds: float
    warnings: Sequence[str]


def _announce(start: Start) -> None:
    say, paint = terminal.say, terminal.paint
    mesh, url = start.mesh, start.mesh.public.mcp
    for name, server in start.status.get("servers", {}).items():
        say(_server_line(name, server))
    for warning in start.warnings:
        say(f"  {paint('warning', 'yellow')} {warning}")
    say()
    say(
        f"Ready in {start.seconds:.1f} s at {paint(url, 'bold')} (status: {mesh.public.url}/status)"
    )
    keyed = wants_keys(mesh)
    login = " (a key with the scope observe logs in)" if keyed else ""
    say(f"Dashboard: {paint(f'{mesh.public.url}/', 'bold')}{login}")
    say(f"Configuration: {_configuration(mesh)}")
    say()
    variable = API_KEY if keyed else ""
    claude = configurations(url, project=Path(), home=Path(), variable=variable)["claude"]
    say(f"Connect a client ({invocation()} connect CLIENT knows eight of them):")
    say(f"  {claude.command}")
    say("or, as JSON:")
    say(json.dumps(claude.document, indent=2))
    if variable:
        say(f"{API_KEY} holds the client's key; `{invocation()} key create NAME` makes one.")
    say()


def _configuration(mesh: Mesh) -> str:
    """Say which file was read: with `make -C` it is not that of the directory one stands in."""
    path = configuration_path(mesh.settings.config)
    return str(path.absolute()) if path else f"none; there is no {Path.cwd() / DEFAULT_NAME}"


def _server_line(name: str, server: Json) -> str:
    if server.get("available"):
        return f"  {terminal.paint('ready', 'green')}   {name} ({server.get('tools', 0)} tools)"
    mark = terminal.paint("missing", "red")
    return f"  {mark} {name}: it does not answer yet; the log says why"
