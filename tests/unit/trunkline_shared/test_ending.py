"""A wait that the end of its server cuts short."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from mcp import Client
from mcp_types import CallToolResult
from pydantic import BaseModel

from tests.interaction.asking import failure_of
from trunkline_shared.clock import SystemClock
from trunkline_shared.contracts import READ, Policy
from trunkline_shared.ending import Ending, ended_by, sleep
from trunkline_shared.errors import Cancelled
from trunkline_shared.listener import Listener, ServeSettings, listener
from trunkline_shared.server import ToolServer
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.loopback import address, free_socket
from trunkline_shared.tool import tool, tools_of

pytestmark = pytest.mark.anyio


class Waited(BaseModel):
    """A result."""

    done: bool = True


@dataclass(frozen=True, slots=True)
class Patience:
    """A tool that waits for an hour."""

    begun: asyncio.Event

    @tool("Wait", READ, Policy(timeout_s=4000))
    async def wait(self) -> Waited:
        """Wait."""
        self.begun.set()
        await sleep(SystemClock(), 3600)
        return Waited()


@pytest.fixture
async def begun() -> asyncio.Event:
    return asyncio.Event()


@pytest.fixture
async def served(begun: asyncio.Event) -> AsyncIterator[tuple[Listener, str]]:
    """A listener of a server with that tool, and its URL."""
    tools = tools_of(Patience(begun))
    server = ToolServer("patience", version="1", instructions="", tools=tools)
    on = free_socket()
    http = listener(server, ServeSettings())
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(http.serve(sockets=[on]))
        yield http, address(on)
        http.end()
    on.close()


async def test_a_call_that_waits_answers_before_its_server_is_gone(
    served: tuple[Listener, str], begun: asyncio.Event
) -> None:
    """The agent reads CANCELLED and that it may call again, not a broken connection."""
    http, url = served
    async with asyncio.timeout(5), Client(f"{url}/mcp") as client, asyncio.TaskGroup() as tasks:
        call = tasks.create_task(client.call_tool("wait", {}))
        await begun.wait()
        http.end()
    result = call.result()
    assert isinstance(result, CallToolResult)
    failure = failure_of(result)
    assert (failure["error_code"], failure["retryable"]) == ("CANCELLED", True)
    assert failure["details"]["reason"] == "shutting_down"


async def test_a_wait_takes_its_time_while_the_server_stays() -> None:
    """Nothing is cut short without a reason."""
    clock = FakeClock()
    with ended_by(Ending()):
        await sleep(clock, 30)
    assert clock.slept == [30]


async def test_a_wait_that_begins_after_the_end_ends_at_once() -> None:
    """No new wait keeps the server."""
    ending = Ending()
    ending.begin()
    async with asyncio.timeout(5):
        with ended_by(ending), pytest.raises(Cancelled):
            await sleep(SystemClock(), 3600)
