"""The bridge with the runner `sampling` behind a router, and clients whose model is a script."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp_types import (
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ErrorData,
    SamplingCapability,
    SamplingToolsCapability,
    TextContent,
    ToolResultContent,
    ToolUseContent,
)

from tests.interaction.asking import failure_of
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from tests.interaction.mesh import Said as SaidText
from trunkline_bridge.app import open_server
from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.contracts import READ, WRITE, Policy, Writes
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import serving
from trunkline_shared.tool import tool

SAMPLE = "mcp__sample__*"
Said = CreateMessageResult | CreateMessageResultWithTools | ErrorData
Turn = Callable[[CreateMessageRequestParams], Awaitable[Said]]
WITH_TOOLS = SamplingCapability(tools=SamplingToolsCapability())


def said(content: list[Any], *, role: Any = "assistant", stop_reason: str = "endTurn") -> Any:
    """Return a model's turn of these blocks."""
    return CreateMessageResultWithTools(
        role=role, content=content, model="m", stop_reason=stop_reason
    )


def says(text: str) -> CreateMessageResultWithTools:
    """Return a model's last word."""
    return CreateMessageResultWithTools(
        role="assistant", content=TextContent(text=text), model="m", stop_reason="endTurn"
    )


def use(number: str, given: Mapping[str, Any] | None = None) -> ToolUseContent:
    """Return a wish for the sample server's `echo`."""
    return ToolUseContent(name="mcp__sample__echo", id=number, input=dict(given or {"text": "x"}))


def wants(
    *uses: tuple[str, Mapping[str, Any]], text: str = "", server: str | None = "sample"
) -> CreateMessageResultWithTools:
    """Return a model's wish for tools of a server, by their own names; by whole ones without it."""
    prefix = f"mcp__{server}__" if server else ""
    wanted = [
        ToolUseContent(name=f"{prefix}{name}", id=f"use-{number}", input=dict(given))
        for number, (name, given) in enumerate(uses)
    ]
    spoken = [TextContent(text=text)] if text else []
    return CreateMessageResultWithTools(
        role="assistant", content=[*spoken, *wanted], model="m", stop_reason="toolUse"
    )


@dataclass(frozen=True, kw_only=True)
class MeetingTools:
    """Tools that tell whether they run at the same time."""

    together: asyncio.Barrier = field(default_factory=lambda: asyncio.Barrier(2))
    written: list[str] = field(default_factory=list)
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @tool("Meet", READ, Policy(timeout_s=5))
    async def meet(self) -> SaidText:
        """Wait until two are here."""
        await self.together.wait()
        return SaidText(said="met")

    @tool("Write", WRITE, Policy(timeout_s=5, writes=Writes(tags=())))
    async def write(self, text: str) -> SaidText:
        """Write, alone."""
        assert not self.writing.locked()
        async with self.writing:
            for _ in range(10):
                await asyncio.sleep(0)
            self.written.append(text)
        return SaidText(said=text)

    @tool("Long", READ, Policy(timeout_s=5))
    async def long(self, size: int) -> SaidText:
        """Say much."""
        return SaidText(said="a" * size)


@dataclass(kw_only=True)
class Model:
    """A model that says what its script has for each turn; `asked` is what it was asked."""

    script: list[Said | Turn]
    asked: list[CreateMessageRequestParams] = field(default_factory=list)

    async def __call__(
        self, context: ClientRequestContext, params: CreateMessageRequestParams
    ) -> Said:
        self.asked.append(params)
        turn = self.script[len(self.asked) - 1]
        return await turn(params) if callable(turn) else turn

    def results(self, turn: int) -> list[ToolResultContent]:
        """Return the tools' results that the model was told of in a turn, from 1."""
        last = self.asked[turn - 1].messages[-1].content_as_list
        found = [block for block in last if isinstance(block, ToolResultContent)]
        assert len(found) == len(last)
        return found

    def told(self, turn: int) -> list[str]:
        """Return the texts of these results."""
        blocks = [block for result in self.results(turn) for block in result.content]
        return [block.text for block in blocks if isinstance(block, TextContent)]


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """A router before the bridge and the sample server."""

    router: Mesh
    sample: SampleTools

    @asynccontextmanager
    async def client(
        self, *script: Said | Turn, mode: Any = "auto", **given: Any
    ) -> AsyncIterator["Asker"]:
        """Yield a client whose model follows a script."""
        model = Model(script=list(script))
        declared = {"sampling_capabilities": WITH_TOOLS, "input_required_max_rounds": 60, **given}
        async with Client(
            self.router.mcp, mode=mode, sampling_callback=model, **declared
        ) as client:
            yield Asker(client=client, model=model)


@dataclass(frozen=True, kw_only=True)
class Asker:
    """A client of the router, and the model before it."""

    client: Client
    model: Model

    async def query(self, **given: object) -> dict[str, Any]:
        """Ask an agent with the sample server's tools, and return the answer."""
        result = await self.raw(**given)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        answer: dict[str, Any] = result.structured_content
        return answer

    async def refused(self, **given: object) -> dict[str, Any]:
        """Ask an agent and return the failure."""
        return failure_of(await self.raw(**given))

    async def raw(self, **given: object) -> CallToolResult:
        """Ask an agent."""
        asked = {"prompt": "Do it.", "tools": [SAMPLE], **given}
        result = await self.client.call_tool("query_mcp", asked)
        assert isinstance(result, CallToolResult)
        return result


@asynccontextmanager
async def sampling(
    *,
    settings: Mapping[str, object] | None = None,
    others: Mapping[str, str] | None = None,
    clock: Clock | None = None,
    **router: Any,
) -> AsyncIterator[Sampling]:
    """Run the mesh; `settings` are the bridge's, `others` further servers by id and base URL."""
    sample = SampleTools()
    async with AsyncExitStack() as stack:
        urls = {
            "bridge": await stack.enter_async_context(bridge(clock=clock, **(settings or {}))),
            "sample": await stack.enter_async_context(serving(sample_server(sample))),
            **(others or {}),
        }
        mesh = await stack.enter_async_context(routing(urls, **router))
        yield Sampling(router=mesh, sample=sample)


@asynccontextmanager
async def bridge(*, clock: Clock | None = None, **settings: object) -> AsyncIterator[str]:
    """Serve a bridge that asks its callers' models; yields its base URL."""
    kept = load(BridgeSettings, {"bridge_runner": "sampling", **settings})
    async with (
        open_server(kept, in_process_store(SystemClock()), clock) as server,
        serving(server) as url,
    ):
        yield url
