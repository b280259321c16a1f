"""The SDK's own client through the router, in every mode."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from mcp import Client
from mcp.client.client import ConnectMode
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents

from tests.interaction.mesh import SampleTools, routing, sample_server
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def connected(mode: ConnectMode) -> AsyncIterator[Client]:
    """Connect a client to the sample server, through a router."""
    async with (
        asyncio.timeout(10),
        serving(sample_server()) as url,
        routing({"a": url}) as mesh,
        Client(mesh.mcp, mode=mode) as client,
    ):
        yield client


MODES: list[ConnectMode] = ["auto", "legacy", "2026-07-28"]


@pytest.mark.requirement("router.eras")
@pytest.mark.parametrize("mode", MODES)
async def test_a_client_lists_and_calls(mode: ConnectMode) -> None:
    """Tools, resources, templates and prompts of a server are there through the router."""
    async with connected(mode) as client:
        tools = await client.list_tools()
        assert {t.name for t in tools.tools} >= {"echo", "count", "hang"}
        result = await client.call_tool("echo", {"text": "hello"})
        assert result.structured_content == {"said": "hello"}
        assert [r.name for r in (await client.list_resources()).resources] == ["fixed"]
        templates = (await client.list_resource_templates()).resource_templates
        assert [t.uri_template for t in templates] == ["sample://item/{number}"]
        read = await client.read_resource("sample://item/7")
        assert isinstance(read.contents[0], TextResourceContents)
        assert read.contents[0].text == "item 7"
        assert [p.name for p in (await client.list_prompts()).prompts] == ["greet"]
        prompt = await client.get_prompt("greet", {"name": "Ada"})
        assert isinstance(prompt.messages[0].content, TextContent)
        assert "Ada" in prompt.messages[0].content.text


@pytest.mark.requirement("router.streams", "bridge.progress")
@pytest.mark.parametrize("mode", MODES)
async def test_progress_reaches_the_client(mode: ConnectMode) -> None:
    """Progress of a running tool is passed on before its result."""
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async with connected(mode) as client:
        result = await client.call_tool("count", {"steps": 3}, progress_callback=hear)
    assert result.structured_content == {"said": "3 steps"}
    assert heard == [1, 2, 3]


@pytest.mark.requirement("router.unknown-tool")
@pytest.mark.parametrize("mode", MODES)
async def test_an_unknown_tool_is_refused_with_the_nearest_name(mode: ConnectMode) -> None:
    """The client reads -32602 and the name that was probably meant."""
    async with connected(mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("ecco", {"text": "x"})
    assert refused.value.error.code == -32602
    assert "'echo'" in refused.value.error.message


@pytest.mark.parametrize("mode", MODES)
async def test_a_tools_own_failure_passes_untouched(mode: ConnectMode) -> None:
    """A tool's error payload is what the server wrote."""
    async with connected(mode) as client:
        result = await client.call_tool("fail", {})
    assert result.is_error
    assert isinstance(result.content[0], TextContent)
    assert '"error_code":"NOT_FOUND"' in result.content[0].text


@pytest.mark.requirement("router.cancel")
@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_leaves_cancels_its_tool(mode: ConnectMode) -> None:
    """Closing the connection reaches the tool, which sees its cancellation."""
    tools = SampleTools()
    async with (
        asyncio.timeout(10),
        serving(sample_server(tools)) as url,
        routing({"a": url}) as mesh,
    ):
        async with Client(mesh.mcp, mode=mode) as client, asyncio.TaskGroup() as group:
            call = group.create_task(client.call_tool("hang", {}))
            await tools.started.wait()
            call.cancel()
        await tools.cancelled.wait()
