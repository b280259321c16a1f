"""Each service on its own, as a process: over stdio, over HTTP, and refusing what it cannot do."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.interaction.looking import look_again
from tests.interaction.trunkline_process import environment
from trunkline_shared.testing.loopback import free_socket

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(90)]

PACKAGES = {
    "trunkline_branch_context": "get_current_branch",
    "trunkline_bridge": "is_server_available",
    "trunkline_comment": "update_comment",
}


@pytest.mark.requirement("serve.transports")
@pytest.mark.parametrize(("package", "tool"), PACKAGES.items())
async def test_a_service_is_a_stdio_server(package: str, tool: str, tmp_path: Path) -> None:
    """Started by a client, it lists its tools on stdout and says everything else on stderr."""
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", package, "--stdio"], env=environment(tmp_path)
    )
    async with asyncio.timeout(60), Client(stdio_client(parameters)) as client:
        assert tool in {listed.name for listed in (await client.list_tools()).tools}


@pytest.mark.parametrize(("package", "tool"), PACKAGES.items())
async def test_a_service_serves_http_until_told_to_end(
    package: str, tool: str, tmp_path: Path
) -> None:
    """It answers on its port, and SIGTERM is a normal end without a complaint."""
    with free_socket() as probe:
        port = probe.getsockname()[1]
    env = environment(tmp_path) | {"TRUNKLINE_SERVICE_PORT": str(port)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", package, env=env, cwd=tmp_path, stderr=subprocess.PIPE
    )
    try:
        async with asyncio.timeout(60):
            await connectable(port)
            async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                assert tool in {listed.name for listed in (await client.list_tools()).tools}
            process.terminate()
            _, complaint = await process.communicate()
        assert process.returncode == 0
        assert b"Traceback" not in complaint
    finally:
        if process.returncode is None:
            process.kill()


async def connectable(port: int) -> None:
    """Wait until something listens on a port of this machine."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            await look_again()
            continue
        writer.close()
        return


@pytest.mark.parametrize("package", PACKAGES)
def test_a_service_refuses_an_open_door(package: str, tmp_path: Path) -> None:
    """One line that names the variable, its value and the fix."""
    env = environment(tmp_path) | {"TRUNKLINE_SERVICE_HOST": "0.0.0.0"}  # noqa: S104 - the refused value
    done = subprocess.run(
        [sys.executable, "-m", package],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "TRUNKLINE_SERVICE_HOST=0.0.0.0 is beyond loopback" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_a_service_refuses_a_store_that_cannot_be(package: str, tmp_path: Path) -> None:
    """One line that names the variable and the fix, and not the password in it."""
    env = environment(tmp_path) | {"TRUNKLINE_REDIS_URL": "http://:hidden@redis"}
    done = subprocess.run(
        [sys.executable, "-m", package],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "TRUNKLINE_REDIS_URL=(secret): this names no Redis (its scheme 'http'" in done.stderr
    assert "write redis://" in done.stderr
    assert "hidden" not in done.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_a_service_tells_its_version(package: str, tmp_path: Path) -> None:
    """`--version` needs no configuration."""
    done = subprocess.run(
        [sys.executable, "-m", package, "--version"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip()[0].isdigit()
