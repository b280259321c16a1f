"""`trunkline stdio`: the whole mesh as one MCP server on standard input and output."""

import argparse

import aiohttp

from trunkline_cli.environment import variable
from trunkline_cli.failure import OK, USAGE, CommandFailed
from trunkline_cli.host_report import HostReport
from trunkline_cli.mesh import prepare
from trunkline_cli.own_access import own_token
from trunkline_cli.running import Job, run_mesh
from trunkline_cli.standard_streams import Stdout, stdin_lines
from trunkline_cli.stdio_bridge import StdioBridge
from trunkline_shared.leaving import leave

_AUDIT_LOG = "TRUNKLINE_AUDIT_LOG"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how much is logged."""
    parser.add_argument("-v", "--verbose", action="store_true", help="log what happens, on stderr")


def run(arguments: argparse.Namespace) -> int:
    """Serve until standard input closes; standard output carries JSON-RPC only."""
    _keep_output_clean()
    log_level = "INFO" if arguments.verbose else "WARNING"
    mesh = prepare(host="127.0.0.1", port=0, log_level=log_level)

    async def bridge(_: HostReport) -> None:
        unlimited = aiohttp.ClientTimeout(total=None)
        connector = aiohttp.TCPConnector(limit=0)
        token = own_token(mesh, "tools", "contexts", "observe", "admin")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with aiohttp.ClientSession(
            timeout=unlimited, connector=connector, headers=headers
        ) as http:
            relay = StdioBridge(http=http, url=mesh.local.mcp, write=Stdout().write)
            await relay.run(stdin_lines())

    run_mesh(mesh, Job(work=bridge))
    leave(OK)


def _keep_output_clean() -> None:
    """Raise CommandFailed where the record of writes would stand between the protocol's lines."""
    if variable(_AUDIT_LOG) == "stdout":
        raise CommandFailed(
            f"{_AUDIT_LOG}=stdout: standard output carries the protocol here; name a file", USAGE
        )
