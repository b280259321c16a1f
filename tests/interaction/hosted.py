"""Servers for a host process to serve in tests, well-behaved and not."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import BaseModel

from trunkline_shared.contracts import READ, Policy
from trunkline_shared.server import ToolServer
from trunkline_shared.service import Service
from trunkline_shared.settings import Settings
from trunkline_shared.store.store import Store
from trunkline_shared.tool import tool, tools_of


class Answer(BaseModel):
    """What both tools return."""

    pid: int


class Tools:
    """A tool that answers, one that fails the whole server, one that kills the process."""

    def __init__(self, broken: asyncio.Event) -> None:
        self._broken = broken

    @tool("Ask for the process id", READ, Policy())
    async def ask(self) -> Answer:
        """Say which process answers."""
        return Answer(pid=os.getpid())

    @tool("Fail the server", READ, Policy())
    async def fail_server(self) -> Answer:
        """Let a background task of the server fail."""
        self._broken.set()
        return Answer(pid=os.getpid())

    @tool("Kill the process", READ, Policy())
    async def kill_process(self) -> Answer:
        """End the process in the middle of the call."""
        os._exit(70)


@asynccontextmanager
async def opening(_: Settings, __: Store) -> AsyncIterator[ToolServer]:
    """Open a server whose background task fails on demand."""
    broken = asyncio.Event()

    async def work() -> None:
        await broken.wait()
        raise RuntimeError("the background task failed")

    async with asyncio.TaskGroup() as tasks:
        working = tasks.create_task(work())
        yield ToolServer("hosted", version="1", instructions="", tools=tools_of(Tools(broken)))
        working.cancel()


SERVICE = Service(id="hosted", container="hosted", version="1", settings=Settings, open=opening)
