"""The host process under its supervisor: containment, restarts, and ends without leftovers."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from trunkline_cli import listening
from trunkline_cli.environment import variables
from trunkline_cli.supervisor import HostPlan, Place, Supervisor
from trunkline_shared.testing.serving import address

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
KEY = "mesh-key-of-the-test"
MODULE = "tests.interaction.hosted"
PATIENCE_S = 30


@asynccontextmanager
async def supervised(
    given: Mapping[str, str] | None = None, **modules: str
) -> AsyncIterator[tuple[Supervisor, dict[str, str]]]:
    """Supervise a host of the named modules; yields the supervisor and each server's URL.

    `given` are variables for the host's environment.
    """
    places = {
        name: Place(module=module, on=listening.on_any_port()) for name, module in modules.items()
    }
    environment = variables() | {"PYTHONPATH": str(ROOT), "TRUNKLINE_MESH_KEY": KEY}
    environment |= given or {}
    supervisor = Supervisor(plan=HostPlan(servers=places, environment=environment))
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        keeping = tasks.create_task(supervisor.keep_alive())
        try:
            yield supervisor, {name: address(place.on) for name, place in places.items()}
        finally:
            keeping.cancel()
    for place in places.values():
        place.on.close()


async def ask(url: str, tool: str) -> int:
    """Call a tool as the router does; returns the process id in its answer."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool, "arguments": {}, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "Authorization": f"Bearer {KEY}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
    }
    async with (
        aiohttp.ClientSession(headers=headers, raise_for_status=True) as session,
        session.post(f"{url}/mcp", json=body) as response,
    ):
        text = await response.text()
    _, _, pid = text.partition('"pid":')
    return int(pid.partition("}")[0])


async def ask_again(url: str) -> int:
    """Ask until the server answers; the caller's patience bounds it."""
    while True:
        try:
            return await ask(url, "ask")
        except aiohttp.ClientError:
            await asyncio.sleep(0)


@pytest.mark.requirement("run.child-dies")
async def test_a_failing_server_is_started_again_without_its_neighbours() -> None:
    """A server whose background task fails comes back in the same process; the other stays."""
    async with supervised(one=MODULE, two=MODULE) as (_, urls):
        before = await ask_again(urls["one"])
        await ask(urls["one"], "fail_server")
        assert await ask(urls["two"], "ask") == before
        assert await ask_again(urls["one"]) == before


async def test_a_module_that_cannot_be_imported_leaves_its_neighbours_alone() -> None:
    """The broken server hangs up at once, and the other one answers."""
    async with supervised(broken="no.such.module", two=MODULE) as (_, urls):
        await ask_again(urls["two"])
        with pytest.raises(aiohttp.ClientError):
            await ask(urls["broken"], "ask")


@pytest.mark.requirement("run.child-dies")
async def test_a_host_that_dies_is_started_again_on_the_same_url() -> None:
    """A process that ends in mid-call cuts that call; the URL answers again from a new process."""
    async with supervised(one=MODULE) as (_, urls):
        before = await ask_again(urls["one"])
        with pytest.raises(aiohttp.ClientError):
            await ask(urls["one"], "kill_process")
        assert await ask_again(urls["one"]) != before


@pytest.mark.requirement("context.defaults")
async def test_the_host_tells_the_default_repository(tmp_path: Path) -> None:
    """The router learns what the servers know: the configured one, else the checkout's remote."""
    configured = {"TRUNKLINE_GITHUB_REPOSITORY": "acme/widgets"}
    async with supervised(configured, one=MODULE) as (supervisor, urls):
        await ask_again(urls["one"])
        assert supervisor.repository == "acme/widgets"
    remote = "git@github.com:acme/gadgets.git"
    for words in (["init", "-q"], ["remote", "add", "origin", remote]):
        git = await asyncio.create_subprocess_exec("git", *words, cwd=tmp_path)
        assert await git.wait() == 0
    found = {"TRUNKLINE_GITHUB_REPOSITORY": "", "TRUNKLINE_REPO_PATH": str(tmp_path)}
    async with supervised(found, one=MODULE) as (supervisor, urls):
        await ask_again(urls["one"])
        assert supervisor.repository == "acme/gadgets"


async def test_the_host_ends_with_its_supervisor() -> None:
    """When supervision ends, the process is gone and reaped."""
    async with supervised(one=MODULE) as (_, urls):
        pid = await ask_again(urls["one"])
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_host_ends_when_its_parent_is_killed() -> None:
    """SIGKILL leaves the parent no time for anything; the end of the pipe tells the host."""
    with listening.on_any_port() as on:
        parent = subprocess.Popen(
            [sys.executable, "-c", _PARENT, f"one={MODULE}={on.fileno()}"],
            pass_fds=[on.fileno()],
            stdout=subprocess.PIPE,
            env=variables() | {"PYTHONPATH": str(ROOT)},
        )
    assert parent.stdout is not None
    with parent.stdout as output:
        assert output.readline() == b"started\n"
        parent.send_signal(signal.SIGKILL)
        parent.wait(10)
        # The host holds the other end of this pipe: end of file is the end of the host.
        assert output.read() == b""


_PARENT = """
import os, subprocess, sys
lifeline, held = os.pipe()
server = sys.argv[1]
host = subprocess.Popen(
    [sys.executable, "-P", "-m", "trunkline_cli.host", "--lifeline", str(lifeline),
     "--server", server],
    pass_fds=[lifeline, int(server.rpartition("=")[2])],
)
os.close(lifeline)
print("started", flush=True)
host.wait()
"""
