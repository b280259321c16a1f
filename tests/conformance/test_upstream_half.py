"""The suite's client scenarios: its servers stand behind the router, the client that they judge."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest
from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from tests.conformance.suite import Verdict, before, judged
from tests.from_registries import node_packages

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(300)]

ASKED = Path(__file__).with_name("asked.py")
_STUBS: Mapping[str, object] = {
    "string": "x",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "object": {},
    "array": [],
}

Told = Mapping[str, Any]
Driving = Callable[[Client, Told], Awaitable[None]]


async def accept(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    assert isinstance(params, ElicitRequestFormParams)
    asked = params.requested_schema.get("properties", {})
    content = {name: field.get("default", True) for name, field in asked.items()}
    return ElicitResult(action="accept", content=content)


async def list_only(client: Client, told: Told) -> None:
    await client.list_tools()


async def add(client: Client, told: Told) -> None:
    await client.call_tool("add_numbers", {"a": 5, "b": 3})


async def call_all(client: Client, told: Told) -> None:
    for tool in (await client.list_tools()).tools:
        properties = tool.input_schema.get("properties", {})
        needed = tool.input_schema.get("required", [])
        given = {name: _STUBS[properties[name]["type"]] for name in needed}
        await client.call_tool(tool.name, given)


async def use_all(client: Client, told: Told) -> None:
    await call_all(client, told)
    for resource in (await client.list_resources()).resources:
        await client.read_resource(resource.uri)
    for prompt in (await client.list_prompts()).prompts:
        await client.get_prompt(prompt.name)


async def call_as_told(client: Client, told: Told) -> None:
    known = {tool.name for tool in (await client.list_tools()).tools}
    for call in orjson.loads(told["MCP_CONFORMANCE_CONTEXT"])["toolCalls"]:
        if call["name"] in known:
            with suppress(MCPError):
                await client.call_tool(call["name"], call.get("arguments") or {})


async def echo_schema(client: Client, told: Told) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    schema = tools["json_schema_2020_12_tool"].input_schema
    await client.call_tool("json_schema_echo", {"schema": schema})


async def answer_questions(client: Client, told: Told) -> None:
    for name in ("echo_state", "unrelated", "no_state", "no_result_type"):
        await client.call_tool(f"test_mrtr_{name}", {})


async def reconnect(client: Client, told: Told) -> None:
    await client.call_tool("test_reconnection", {})


async def elicit(client: Client, told: Told) -> None:
    await client.call_tool("test_client_elicitation_defaults", {})


LEGACY: Mapping[str, Driving] = {
    "initialize": list_only,
    "tools_call": add,
    "sse-retry": reconnect,
    "elicitation-sep1034-client-defaults": elicit,
    "json-schema-2020-12-preservation": echo_schema,
}
MODERN: Mapping[str, Driving] = {
    "tools_call": add,
    "request-metadata": list_only,
    "http-standard-headers": use_all,
    "http-custom-headers": call_as_told,
    "http-invalid-tool-headers": call_all,
    "json-schema-2020-12-preservation": echo_schema,
    "json-schema-ref-no-deref": list_only,
    "sep-2322-client-request-state": answer_questions,
}


async def through_router(scenario: str, version: str, drive: Driving, results: Path) -> Verdict:
    """Run one scenario: its client is a router in front of it, and the SDK's client before that."""

    async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        told = orjson.loads(await reader.readline())
        async with (
            before(told["url"]) as router,
            Client(f"{router}/mcp", elicitation_callback=accept) as client,
        ):
            await drive(client, told)
        writer.write(b"0")
        writer.close()

    server = await asyncio.start_server(asked, "127.0.0.1", 0)
    command = f"{sys.executable} -S {ASKED} {server.sockets[0].getsockname()[1]}"
    asking = ("client", "--command", command, "--scenario", scenario, "--spec-version", version)
    async with asyncio.timeout(150), server:
        return await judged(node_packages(), results, *asking)


@pytest.mark.requirement("gateway.conformance-upstream")
@pytest.mark.parametrize("scenario", MODERN)
async def test_a_scenario_of_2026_07_28_finds_no_fault(scenario: str, tmp_path: Path) -> None:
    """The router asks its servers as the protocol wants it, whatever they answer."""
    verdict = await through_router(scenario, "2026-07-28", MODERN[scenario], tmp_path)
    assert verdict.code == 0, verdict.told
    assert verdict.passed, verdict.told


@pytest.mark.requirement("gateway.conformance-upstream")
@pytest.mark.parametrize("scenario", LEGACY)
async def test_a_scenario_of_2025_11_25_finds_no_fault(scenario: str, tmp_path: Path) -> None:
    """Likewise of servers that know sessions only; the SDK's client is a modern one."""
    verdict = await through_router(scenario, "2025-11-25", LEGACY[scenario], tmp_path)
    assert verdict.code == 0, verdict.told
    assert verdict.passed, verdict.told
