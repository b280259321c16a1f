"""A service on a socket: its tools, its probes, and every failure as one of our errors."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, cast

import aiohttp
import pytest
from mcp import Client
from mcp.client.session import ClientSession
from mcp.client.sse import sse_client
from mcp.shared.exceptions import MCPError
from mcp_types import RequestParamsMeta, TextResourceContents
from pydantic import BaseModel, Field, SecretStr, TypeAdapter

from trunkline_shared.binding import require_bound
from trunkline_shared.contracts import READ, WRITE, Policy, Reads, Writes
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import Conflict, NotFound
from trunkline_shared.listener import ServeSettings
from trunkline_shared.server import ToolServer
from trunkline_shared.testing.serving import serving
from trunkline_shared.tool import tool, tools_of

pytestmark = pytest.mark.anyio


class Sum(BaseModel):
    """A result with a nested name that looks like a schema's own."""

    total: int
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Calculator:
    """Tools that succeed, refuse and break."""

    @tool("Add", READ, Policy(reads=Reads(ttl_s=3, tags=("sums",))), open_world=False)
    async def add(
        self,
        firstNumber: Annotated[int, Field(ge=1, description="The first.")],  # noqa: N803 - the seeds spell parameters so
        second: int = 0,
    ) -> Sum:
        """Add two numbers.

        Returns their sum.
        """
        return Sum(total=firstNumber + second)

    @tool("Refuse", WRITE, Policy(writes=Writes(tags=("sums",))))
    async def refuse(self) -> Sum:
        """Refuse."""
        raise Conflict("sum 3 was changed meanwhile", hint="Read it again.", details={"sum": 3})

    @tool("Break", READ, Policy())
    async def break_down(self) -> Sum:
        """Break."""
        raise RuntimeError("password=hunter2")

    @tool("Misread", READ, Policy())
    async def misread(self) -> Sum:
        """Fail to read an upstream's answer."""
        return TypeAdapter(Sum).validate_json('{"total": "many"}')

    @tool("Time left", READ, Policy(timeout_s=9))
    async def time_left(self) -> Sum:
        """Tell the whole seconds left."""
        return Sum(total=round(remaining(1000)))


def calculator() -> ToolServer:
    server = ToolServer(
        "calculator", version="1", instructions="Adds.", tools=tools_of(Calculator())
    )

    @server.resource("sum://{name}")
    async def a_sum(name: str) -> str:
        if name == "absent":
            raise NotFound(f"sum {name!r} does not exist")
        require_bound("The sum", name, "branch")
        if name == "broken":
            raise RuntimeError("password=hunter2")
        return str(round(remaining(1000))) if name == "left" else name

    @server.prompt()
    def explain(topic: str) -> str:
        if topic == "broken":
            raise RuntimeError("password=hunter2")
        require_bound("The topic", topic, "branch")
        return f"Explain {topic} in {round(remaining(1000))} s."

    return server


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(30), serving(calculator()) as base:
        yield base


@pytest.fixture
async def client(url: str) -> AsyncIterator[Client]:
    async with Client(f"{url}/mcp") as connected:
        yield connected


async def error_of(client: Client, tool_name: str, **arguments: object) -> dict[str, object]:
    result = await client.call_tool(tool_name, arguments)
    assert result.is_error
    assert result.structured_content is None
    (block,) = result.content
    body: dict[str, object] = json.loads(block.text)  # type: ignore[union-attr] # one text block is what is asserted
    return body


async def test_a_tool_is_listed_with_all_it_declares(client: Client) -> None:
    """Annotations, policy and a schema without the titles that nobody reads."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    add = listed["add"]
    assert add.description == "Add two numbers. Returns their sum."
    assert add.input_schema == {
        "type": "object",
        "properties": {
            "firstNumber": {"type": "integer", "minimum": 1, "description": "The first."},
            "second": {"type": "integer", "default": 0},
        },
        "required": ["firstNumber"],
    }
    assert add.output_schema is not None
    assert set(add.output_schema["properties"]) == {"total", "title"}
    assert add.annotations is not None
    assert add.annotations.read_only_hint
    assert not add.annotations.open_world_hint
    assert add.meta is not None
    assert add.meta["dev.trunkline/policy"]["reads"]["tags"] == ["sums"]


async def test_a_result_is_structured_and_the_same_json_as_text(client: Client) -> None:
    """Clients that read only one of the two lose nothing."""
    result = await client.call_tool("add", {"firstNumber": 2, "second": 3})
    assert result.structured_content == {"total": 5, "title": None}
    assert [block.text for block in result.content] == ['{"total":5,"title":null}']  # type: ignore[union-attr] # text is what is asserted


async def test_a_camel_case_parameter_takes_its_snake_case_spelling(client: Client) -> None:
    """Models that normalise names are understood."""
    result = await client.call_tool("add", {"first_number": 2})
    assert result.structured_content == {"total": 2, "title": None}


async def test_null_for_what_need_not_be_given_is_no_argument(client: Client) -> None:
    """Models hand `next_cursor: null` back as `cursor: null`."""
    result = await client.call_tool("add", {"firstNumber": 2, "second": None})
    assert not result.is_error
    assert result.structured_content == {"total": 2, "title": None}
    body = await error_of(client, "add", firstNumber=None)
    assert body["error_code"] == "INVALID_INPUT"


async def test_two_spellings_with_two_values_are_refused(client: Client) -> None:
    """Neither wins silently."""
    body = await error_of(client, "add", firstNumber=1, first_number=2)
    assert body["error_code"] == "INVALID_INPUT"


async def test_an_unknown_argument_is_refused_with_the_nearest(client: Client) -> None:
    """A typo is never dropped."""
    body = await error_of(client, "add", firstNumber=1, secnd=2)
    assert body["error_code"] == "INVALID_INPUT"
    assert body["hint"] == "Did you mean 'second'?"


async def test_a_bad_argument_is_answered_with_its_field(client: Client) -> None:
    """INVALID_INPUT in the same form as every other error."""
    body = await error_of(client, "add", firstNumber=0)
    assert body["error_code"] == "INVALID_INPUT"
    assert body["message"] == "add: argument 'firstNumber' must be at least 1."


async def test_a_tools_own_error_keeps_code_hint_and_details(client: Client) -> None:
    """What the tool raised is what the agent reads."""
    body = await error_of(client, "refuse")
    assert body["error_code"] == "CONFLICT"
    assert body["hint"] == "Read it again."
    assert body["details"] == {"sum": 3}


@pytest.mark.requirement("errors.bug")
@pytest.mark.parametrize("name", ["break_down", "misread"])
async def test_a_bug_is_internal_and_says_nothing_but_an_id(
    client: Client, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Also a validation error inside the tool, which is no fault of the caller."""
    with caplog.at_level(logging.ERROR):
        body = await error_of(client, name)
    assert body["error_code"] == "INTERNAL_ERROR"
    assert "hunter2" not in json.dumps(body)
    assert json.dumps(body["details"])[8:20] in caplog.text


async def test_an_unknown_tool_is_a_protocol_error_naming_the_nearest(client: Client) -> None:
    """-32602, as the specification's example has it."""
    with pytest.raises(MCPError, match=r"Unknown tool: 'ad'\. Did you mean 'add'") as caught:
        await client.call_tool("ad", {})
    assert caught.value.error.code == -32602


async def test_a_call_has_the_time_that_its_tool_declares(client: Client) -> None:
    """`timeout_s` bounds the tool."""
    result = await client.call_tool("time_left", {})
    assert result.structured_content == {"total": 9, "title": None}


async def test_a_caller_may_leave_less_time(client: Client) -> None:
    """The router's deadline shortens the tool's."""
    less = cast(RequestParamsMeta, {"dev.trunkline/deadline_ms": 4000})
    result = await client.call_tool("time_left", {}, meta=less)
    assert result.structured_content == {"total": 4, "title": None}


async def test_resources_and_prompts_have_a_deadline_too(client: Client) -> None:
    """The usual one, or the router's where that is shorter."""
    less = cast(RequestParamsMeta, {"dev.trunkline/deadline_ms": 4000})
    for meta, seconds in ((None, 30), (less, 4)):
        (content,) = (await client.read_resource("sum://left", meta=meta)).contents
        assert isinstance(content, TextResourceContents)
        assert content.text == str(seconds)
        prompt = await client.get_prompt("explain", {"topic": "sums"}, meta=meta)
        assert f"Explain sums in {seconds} s." in str(prompt.messages[0].content)


async def test_a_missing_resource_is_invalid_params_with_its_uri(client: Client) -> None:
    """An unknown scheme and a name that does not exist alike."""
    for uri in ("other://x", "sum://absent"):
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
        assert caught.value.error.code == -32602
        assert caught.value.error.data["uri"] == uri


async def test_a_broken_resource_says_nothing_but_an_id(client: Client) -> None:
    """The exception's text stays on the server."""
    with pytest.raises(MCPError) as caught:
        await client.read_resource("sum://broken")
    assert caught.value.error.code == -32603
    assert "hunter2" not in str(caught.value.error)


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [("explan", {}, -32602), ("explain", {}, -32602), ("explain", {"topic": "broken"}, -32603)],
)
async def test_a_prompts_failures_are_typed(
    client: Client, name: str, arguments: dict[str, str], code: int
) -> None:
    """Unknown, incomplete, broken: a code each, and no inner text."""
    with pytest.raises(MCPError) as caught:
        await client.get_prompt(name, arguments)
    assert caught.value.error.code == code
    assert "hunter2" not in str(caught.value.error)


async def test_resources_and_prompts_know_what_the_context_is_bound_to(client: Client) -> None:
    """A server can hold them to the bindings that the router sends, as it holds its tools."""
    bound = cast(RequestParamsMeta, {"dev.trunkline/bind": {"branch": "mine"}})
    await client.read_resource("sum://mine", meta=bound)
    await client.get_prompt("explain", {"topic": "mine"}, meta=bound)
    with pytest.raises(MCPError, match="The sum is theirs"):
        await client.read_resource("sum://theirs", meta=bound)
    with pytest.raises(MCPError, match="The topic is theirs"):
        await client.get_prompt("explain", {"topic": "theirs"}, meta=bound)
    await client.read_resource("sum://theirs")


@pytest.mark.requirement("serve.transports")
async def test_the_oldest_transport_is_served_too(url: str) -> None:
    """HTTP+SSE of 2024-11-05 lists the same tools."""
    async with sse_client(f"{url}/sse") as streams, ClientSession(*streams) as session:
        await session.initialize()
        assert "add" in {tool.name for tool in (await session.list_tools()).tools}


async def status(http: aiohttp.ClientSession, method: str, url: str, **headers: str) -> int:
    json_body = {"Content-Type": "application/json"} | headers
    async with http.request(method, url, data="{}", headers=json_body) as answer:
        return answer.status


@pytest.mark.requirement("serve.mesh-key")
async def test_only_the_router_is_let_in_when_there_is_a_mesh_key() -> None:
    """Probes stay open; everything else needs the key."""
    settings = ServeSettings(mesh_key=SecretStr("k" * 20))
    async with serving(calculator(), settings) as url, aiohttp.ClientSession() as http:
        for path in ("/mcp", "/sse", "/messages/"):
            assert await status(http, "POST", url + path) == 401
        for path in ("/healthz", "/readyz"):
            assert await status(http, "GET", url + path) == 200
        right = "Bearer " + "k" * 20
        assert await status(http, "POST", url + "/mcp", Authorization=right) != 401


async def test_a_foreign_host_name_is_refused(url: str) -> None:
    """DNS rebinding does not reach a server on loopback."""
    async with aiohttp.ClientSession() as http:
        assert await status(http, "POST", f"{url}/mcp", Host="evil.example") == 421
