"""The comment server as a process of its own, in front of a GitHub that answers when it may."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from tests.interaction.looking import look_again
from tests.interaction.trunkline_process import environment
from tests.interaction.wire import get

READ = {"owner": "acme", "repo": "widgets", "issue_number": 1, "include_minimized": True}
WRITE = {"owner": "acme", "repo": "widgets", "issue_number": 1, "body": "Hello."}


@dataclass(kw_only=True)
class Vendor:
    """Holds what it is asked while `flowing` is not set; `asked` counts the requests."""

    url: str = ""
    asked: int = 0
    held: int = 0
    flowing: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def handle(self, http: web.Request) -> web.Response:
        self.asked += 1
        self.held += 1
        async with self.changed:
            self.changed.notify_all()
        try:
            await self.flowing.wait()
        finally:
            self.held -= 1
        return web.json_response([]) if http.method == "GET" else web.json_response({}, status=422)

    async def was_asked(self, number: int) -> None:
        """Wait until so many requests have come."""
        async with self.changed:
            await self.changed.wait_for(lambda: self.asked >= number)

    async def holds(self, number: int) -> None:
        """Wait until so many requests wait for their answer."""
        async with self.changed:
            await self.changed.wait_for(lambda: self.held >= number)


@asynccontextmanager
async def vendor() -> AsyncIterator[Vendor]:
    """Serve it; it answers at once until a test says otherwise."""
    one = Vendor()
    one.flowing.set()
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", one.handle)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        one.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield one
    finally:
        await runner.cleanup()


@asynccontextmanager
async def comment_server(
    port: int, github: Vendor, home: Path, **more: str
) -> AsyncIterator[Process]:
    """Run `python -m trunkline_comment` on a port, until it is ready and longer."""
    env = environment(home) | {
        "GITHUB_TOKEN": "ghp_" + "a" * 36,
        "TRUNKLINE_GITHUB_API_URL": github.url,
        "TRUNKLINE_SERVICE_PORT": str(port),
        "TRUNKLINE_LOG_LEVEL": "WARNING",
        **more,
    }
    command = (sys.executable, "-m", "trunkline_comment")
    process = await asyncio.create_subprocess_exec(
        *command, env=env, cwd=home, stdout=PIPE, stderr=PIPE
    )
    try:
        async with asyncio.timeout(60):
            await _ready(port)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def _ready(port: int) -> None:
    while True:
        try:
            if (await get(port, "/readyz")).status == 200:
                return
        except (ConnectionError, asyncio.IncompleteReadError):
            await look_again()
