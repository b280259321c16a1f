"""Modern clients of servers that speak older revisions, over HTTP and over its event stream."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import (
    CreateMessageResult,
    ElicitResult,
    LoggingMessageNotificationParams,
    TextContent,
)

from tests.interaction.mesh import Mesh, routing
from tests.interaction.older_servers import Older, entry, older_server, over_http, over_sse

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]

Serving = Callable[[Older], AbstractAsyncContextManager[str]]
BOTH = pytest.mark.parametrize("serving", [over_http, over_sse])


@asynccontextmanager
async def mesh_of(serving: Serving, older: Older | None = None) -> AsyncIterator[Mesh]:
    """Run a router in front of one older server."""
    async with (
        asyncio.timeout(15),
        serving(older or older_server()) as url,
        routing({"older": url}, configured=entry(url)) as mesh,
    ):
        yield mesh


def text(result: Any) -> str:
    return str(result.content[0].text)


@pytest.mark.requirement("gateway.upstream-eras")
@BOTH
async def test_what_an_older_server_offers_is_offered(serving: Serving) -> None:
    """Tools, prompts, resources and instructions, in the form of 2026-07-28."""
    async with mesh_of(serving) as mesh, Client(mesh.mcp, mode="2026-07-28") as client:
        tools = await client.list_tools()
        assert {"add", "greet"} <= {tool.name for tool in tools.tools}
        assert text(await client.call_tool("add", {"a": 1, "b": 2})) == "3"
        read = await client.read_resource("older://fixed")
        assert read.contents[0].text == "fixed text"  # type: ignore[union-attr]  # a text
        prompt = await client.get_prompt("hello", {"name": "Ada"})
        assert "Greet Ada." in str(prompt.messages[0].content)


@pytest.mark.requirement("gateway.upstream-questions")
@BOTH
async def test_what_the_server_asks_is_asked_of_the_client(serving: Serving) -> None:
    """clients.md 13: `elicitation/create` inside a call comes as `input_required`."""

    async def elicited(context: Any, params: Any) -> ElicitResult:
        assert params.message == "Who is there?"
        return ElicitResult(action="accept", content={"name": "Ada"})

    async with (
        mesh_of(serving) as mesh,
        Client(mesh.mcp, mode="2026-07-28", elicitation_callback=elicited) as client,
    ):
        assert text(await client.call_tool("greet")) == "Hello Ada."


@pytest.mark.requirement("gateway.upstream-questions")
@BOTH
async def test_the_clients_model_is_asked(serving: Serving) -> None:
    """clients.md 13: `sampling/createMessage` likewise."""

    async def sampled(context: Any, params: Any) -> CreateMessageResult:
        content = TextContent(type="text", text="deeply")
        return CreateMessageResult(role="assistant", content=content, model="m")

    async with (
        mesh_of(serving) as mesh,
        Client(mesh.mcp, mode="2026-07-28", sampling_callback=sampled) as client,
    ):
        assert text(await client.call_tool("think")) == "thought: deeply"


@pytest.mark.requirement("gateway.upstream-questions")
@BOTH
async def test_a_client_that_cannot_be_asked_is_not(serving: Serving) -> None:
    """The server hears that its client offers no elicitation; the call ends with its own error."""
    async with mesh_of(serving) as mesh, Client(mesh.mcp, mode="2026-07-28") as client:
        with pytest.raises(MCPError, match="is not offered by this client"):
            await client.call_tool("greet")


@pytest.mark.requirement("gateway.upstream-questions")
@BOTH
async def test_progress_and_log_messages_reach_their_call(serving: Serving) -> None:
    """Two calls at once under the same token and level each hear their own."""
    heard: list[float] = []
    logged: list[str] = []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async def logs(params: LoggingMessageNotificationParams) -> None:
        logged.append(str(params.data))

    async with (
        mesh_of(serving) as mesh,
        Client(mesh.mcp, mode="2026-07-28", logging_callback=logs) as client,
    ):
        result = await client.call_tool("steps", {"count": 3}, progress_callback=progressed)
        assert text(result) == "3 steps"
        assert heard == [1, 2, 3]


@pytest.mark.requirement("gateway.upstream-questions")
@BOTH
async def test_a_call_that_is_given_up_is_cancelled_at_the_server(serving: Serving) -> None:
    """gateways.md 3.F: the client leaves, and the older server hears `notifications/cancelled`."""
    older = older_server()
    async with mesh_of(serving, older) as mesh, Client(mesh.mcp, mode="2026-07-28") as client:
        async with asyncio.TaskGroup() as tasks:
            hanging = tasks.create_task(client.call_tool("hang"))
            await older.started.wait()
            hanging.cancel()
        await older.cancelled.wait()
