"""A tool that asks its caller before it answers: what it declares, and what it hands on."""

import secrets

import pytest
from mcp import Client, MCPError
from mcp.server.mcpserver import Context
from mcp.server.request_state import RequestStateSecurity
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import BaseModel

from trunkline_shared.contracts import READ, Policy
from trunkline_shared.server import ToolServer
from trunkline_shared.testing.serving import serving
from trunkline_shared.tool import tool, tools_of

pytestmark = pytest.mark.anyio


class Told(BaseModel):
    """What a tool says in the end."""

    state: str


class AskingTools:
    """A tool of two rounds."""

    @tool("Ask", READ, Policy())
    async def ask(self, context: Context) -> Told | InputRequiredResult:
        """Ask first, then tell what was handed on."""
        if context.request_state is None:
            return InputRequiredResult(request_state="the state")
        return Told(state=context.request_state)


def asking(security: RequestStateSecurity | None = None) -> ToolServer:
    """Return a server with that tool."""
    return ToolServer(
        "asking",
        version="1",
        instructions="",
        tools=tools_of(AskingTools()),
        request_state_security=security,
    )


async def begun(client: Client) -> str:
    """Ask for the first time, and return the sealed state."""
    first = await client.session.call_tool("ask", {}, allow_input_required=True)
    assert isinstance(first, InputRequiredResult)
    assert first.request_state is not None
    assert first.request_state != "the state"
    return first.request_state


@pytest.mark.requirement("bridge.sampling-sealed")
async def test_such_a_tool_declares_the_answer_and_hands_on_a_sealed_state() -> None:
    """The schema is the answer's alone; the state comes back as the tool wrote it."""
    (declared,) = tools_of(AskingTools())
    assert declared.output_schema is not None
    assert list(declared.output_schema["properties"]) == ["state"]
    async with serving(asking()) as url, Client(f"{url}/mcp", mode="2026-07-28") as client:
        state = await begun(client)
        done = await client.session.call_tool("ask", {}, request_state=state)
    assert isinstance(done, CallToolResult)
    assert done.structured_content == {"state": "the state"}


@pytest.mark.requirement("bridge.sampling-replicas")
async def test_servers_with_one_key_open_each_others_states() -> None:
    """Others refuse them as they refuse any text."""
    key = secrets.token_bytes(32)
    async with (
        serving(asking(RequestStateSecurity(keys=[key]))) as one,
        serving(asking(RequestStateSecurity(keys=[secrets.token_bytes(32), key]))) as two,
        serving(asking()) as stranger,
        Client(f"{one}/mcp", mode="2026-07-28") as here,
        Client(f"{two}/mcp", mode="2026-07-28") as there,
        Client(f"{stranger}/mcp", mode="2026-07-28") as elsewhere,
    ):
        state = await begun(here)
        done = await there.session.call_tool("ask", {}, request_state=state)
        with pytest.raises(MCPError):
            await elsewhere.session.call_tool("ask", {}, request_state=state)
    assert isinstance(done, CallToolResult)
    assert not done.is_error
