"""The router as a program: starts, says what is wrong in one line, ends in time."""

import asyncio
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
from aiohttp import web

from tests.interaction.upstreams import Json, Scripted, event, running
from tests.interaction.wire import call_legacy, get, head, modern, modern_headers
from trunkline_router.app import serve
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.listening import bind
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.testing.serving import free_socket

pytestmark = pytest.mark.anyio
BELOW_EPHEMERAL = range(20_000, 32_000)
FEW = 64
FEW_FILES = ("/bin/sh", "-c", f'ulimit -S -n {FEW} && exec "$@"', "sh")
"""Runs what follows with so many open files as the limit to begin with."""


@asynccontextmanager
async def program(
    port: int, url: str, *within: str, **more: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `python -m trunkline_router` in front of one server, `within` another program."""
    process = await asyncio.create_subprocess_exec(
        *within,
        sys.executable,
        "-m",
        "trunkline_router",
        env={
            "PATH": os.defpath,
            "TRUNKLINE_PORT": str(port),
            "TRUNKLINE_SERVER_URLS": f"a={url}/mcp",
            **more,
        },
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def free_port() -> int:
    """Return a port for a process that has yet to start.

    None of those that outgoing connections get from the system, which may have it by then.
    """
    while True:
        port = BELOW_EPHEMERAL.start + secrets.randbelow(len(BELOW_EPHEMERAL))
        with socket.socket() as on, suppress(OSError):
            on.bind(("127.0.0.1", port))
            return port


async def until_ready(process: asyncio.subprocess.Process) -> None:
    """Wait for the line that says so."""
    assert process.stderr is not None
    said = b""
    while b"ready at " not in (line := await process.stderr.readline()):
        said += line
        assert line, f"the router ended before it was ready, and said: {said.decode()}"


async def streams_for_ever(http: web.Request, request: Json) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(http)
    await response.write(event({"jsonrpc": "2.0", "method": "notifications/progress"}))
    await asyncio.Event().wait()
    return response


@pytest.mark.parametrize(
    ("number", "more"),
    [(signal.SIGTERM, {"TRUNKLINE_FINISH_S": "0.1"}), (signal.SIGINT, {})],
)
async def test_it_ends_within_two_seconds_with_streams_open(
    number: int, more: dict[str, str]
) -> None:
    """SIGTERM and SIGINT are a normal end, whatever is still running; SIGINT is always quick."""
    port = free_port()
    async with (
        asyncio.timeout(30),
        running(Scripted(answer=streams_for_ever)) as url,
        program(port, url, **more) as process,
    ):
        await until_ready(process)
        body = modern("tools/call", {"name": "act"})
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head(body, modern_headers("tools/call", "act"), port=port) + body)
        await reader.readuntil(b"progress")
        began = time.monotonic()
        process.send_signal(number)
        assert await process.wait() == 0
        assert time.monotonic() - began < 2.5
        writer.close()


async def test_a_taken_port_is_one_clear_line() -> None:
    """No traceback: the variable, the address and the fix."""
    with free_socket() as on:
        port = on.getsockname()[1]
        async with asyncio.timeout(30), program(port, "http://127.0.0.1:1") as process:
            _, stderr = await process.communicate()
    assert process.returncode == 1
    (line,) = stderr.decode().strip().splitlines()
    assert f"TRUNKLINE_PORT={port}" in line
    assert "free port" in line


async def test_it_has_as_many_clients_at_once_as_the_system_lets_it() -> None:
    """Not as few as programs begin with: each connection is an open file."""
    port = free_port()
    async with (
        asyncio.timeout(30),
        running(Scripted()) as url,
        program(port, url, *FEW_FILES) as process,
        AsyncExitStack() as clients,
    ):
        await until_ready(process)
        for _ in range(2 * FEW):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            clients.callback(writer.close)
        assert (await get(port, "/healthz")).status == 200


@pytest.mark.requirement("router.loopback")
async def test_beyond_loopback_it_does_not_start() -> None:
    """A router without keys would let everybody in."""
    async with (
        asyncio.timeout(30),
        program(1, "http://127.0.0.1:1", TRUNKLINE_HOST="0.0.0.0") as process,  # noqa: S104 - what must be refused
    ):
        _, stderr = await process.communicate()
    assert process.returncode == 1
    assert "TRUNKLINE_HOST=0.0.0.0" in stderr.decode()
    assert len(stderr.decode().strip().splitlines()) == 1


async def test_it_serves_on_a_socket_that_it_is_given() -> None:
    """`ready` is called once the servers are listed; cancelling ends it."""
    ready = asyncio.Event()
    async with asyncio.timeout(5), running(Scripted()) as url:
        settings = load(RouterSettings, {"server_urls": {"a": f"{url}/mcp"}})
        on = free_socket()
        port = on.getsockname()[1]
        async with asyncio.TaskGroup() as group:
            served = group.create_task(serve(settings, on=on, ready=ready.set))
            await ready.wait()
            assert (await call_legacy(port, "act")).result["isError"] is False
            served.cancel()
        with pytest.raises(ConnectionError):
            await get(port, "/healthz")


async def test_an_address_that_is_not_ours_is_refused() -> None:
    """The message names the variable and the address."""
    with pytest.raises(ConfigurationError, match=r"TRUNKLINE_PORT=8470: 192\.0\.2\.1:8470"):
        bind("192.0.2.1", 8470)
