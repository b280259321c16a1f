"""The bridge behind a real router, with a runner that does what a test says."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from mcp import Client
from mcp_types import CallToolResult, InputRequiredResult

from tests.interaction.asking import failure_of
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from trunkline_bridge.app import open_server
from trunkline_bridge.query.models import ToolCall
from trunkline_bridge.query.runner import Answer, Asker, Query, Runner, Turn
from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.errors import TrunklineError
from trunkline_shared.http.client import HttpClient, open_http
from trunkline_shared.mesh.answers import structured
from trunkline_shared.mesh.asking import CALL, Asking
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import serving

SAMPLE = "mcp__sample__*"
"""All tools of the server that does what a test needs, `tests.interaction.mesh.SampleTools`."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run as a script sees it; `calls` grows with each tool that it calls."""

    query: Query
    mesh: Entrance
    asker: Asker
    on_turn: Turn
    http: HttpClient
    calls: list[ToolCall] = field(default_factory=list)

    async def call(self, server: str, name: str, **arguments: object) -> Mapping[str, Any]:
        """Call a tool through the router, as an agent with this run's token does.

        Raises what the tool does, and the router.
        """
        asking = Asking(http=self.http, name="scripted-agent", version="1")
        params = {"name": name, "arguments": arguments}
        code = None
        try:
            result = await asking.ask(self.mesh.of_server(server), CALL, params, 5)
            return structured(name, result)
        except TrunklineError as error:
            code = error.code
            raise
        finally:
            made = ToolCall(server=server, tool=name, ok=code is None, ms=0, error_code=code)
            self.calls.append(made)

    def answer(self, text: str = "done", **said: Any) -> Answer:
        """Return an answer with the calls that this run has made."""
        return Answer(**{"text": text, "turns": 1, "tool_calls": tuple(self.calls), **said})


Script = Callable[[Run], Awaitable[Answer | InputRequiredResult]]


async def done(run: Run) -> Answer:
    """Answer at once."""
    return run.answer()


@dataclass(kw_only=True)
class Gate:
    """A script that is held at a gate: `entered` counts who came, `free` lets one through."""

    entered: int = 0
    left: int = 0
    order: list[str] = field(default_factory=list)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _passes: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def __call__(self, run: Run) -> Answer:
        self.order.append(run.query.prompt)
        await self._note(entered=1)
        try:
            await self._passes.acquire()
        finally:
            await asyncio.shield(self._note(left=1))
        return run.answer(run.query.prompt)

    def free(self, number: int = 1) -> None:
        """Let so many through, in the order in which they came."""
        for _ in range(number):
            self._passes.release()

    async def until(self, *, entered: int = 0, left: int = 0) -> None:
        """Wait until so many came, and so many have left."""
        async with asyncio.timeout(5), self._changed:
            await self._changed.wait_for(lambda: self.entered >= entered and self.left >= left)

    async def _note(self, *, entered: int = 0, left: int = 0) -> None:
        async with self._changed:
            self.entered += entered
            self.left += left
            self._changed.notify_all()


@dataclass(kw_only=True)
class ScriptedRunner:
    """A runner that follows `script`, which a test may change; `lacks` is why it cannot."""

    script: Script = done
    lacks: str | None = None
    runs: list[Run] = field(default_factory=list)

    def can(self, asker: Asker) -> str | None:
        return self.lacks

    async def run(
        self, query: Query, mesh: Entrance, asker: Asker, on_turn: Turn
    ) -> Answer | InputRequiredResult:
        async with open_http(SystemClock()) as http:
            run = Run(query=query, mesh=mesh, asker=asker, on_turn=on_turn, http=http)
            self.runs.append(run)
            return await self.script(run)


@dataclass(frozen=True, kw_only=True)
class Bridged:
    """A router before the bridge and the sample server; `client` is an MCP client of the router."""

    router: Mesh
    runner: ScriptedRunner
    sample: SampleTools
    client: Client

    async def raw(self, tool: str, /, **arguments: object) -> CallToolResult:
        """Call a tool through the router."""
        result = await self.client.call_tool(tool, dict(arguments))
        assert isinstance(result, CallToolResult)
        return result

    async def call(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """Call a tool and return its structured answer."""
        result = await self.raw(tool, **arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        answer: dict[str, Any] = result.structured_content
        return answer

    async def refused(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """Call a tool and return the failure it answers with."""
        return failure_of(await self.raw(tool, **arguments))

    async def query(self, prompt: str = "Do it.", **given: object) -> dict[str, Any]:
        """Ask an agent; the tools are the sample server's unless the test says otherwise."""
        return await self.call("query_mcp", **{"prompt": prompt, "tools": [SAMPLE], **given})

    async def query_refused(self, prompt: str = "Do it.", **given: object) -> dict[str, Any]:
        """Ask an agent and return the failure."""
        return await self.refused("query_mcp", **{"prompt": prompt, "tools": [SAMPLE], **given})

    @asynccontextmanager
    async def another(self, **client: Any) -> AsyncIterator["Bridged"]:
        """Yield the same mesh with a client of its own, made with these of the SDK's arguments."""
        async with Client(self.router.mcp, **client) as other:
            yield replace(self, client=other)


@asynccontextmanager
async def bridged(
    script: Script = done,
    *,
    runners: list[Runner] | None = None,
    others: Mapping[str, str] | None = None,
    settings: Mapping[str, object] | None = None,
    bridge_clock: Clock | None = None,
    client: Mapping[str, Any] | None = None,
    **router: Any,
) -> AsyncIterator[Bridged]:
    """Run the mesh; `settings` are the bridge's, `others` further servers by id and base URL.

    `runners` replace the scripted one, `client` holds arguments of the SDK's client.
    """
    runner, sample = ScriptedRunner(script=script), SampleTools()
    kept = load(BridgeSettings, {"toolsets": "all", **(settings or {})})
    used: list[Runner] = [runner] if runners is None else runners
    async with AsyncExitStack() as stack:
        opening = open_server(kept, in_process_store(SystemClock()), bridge_clock, used)
        server = await stack.enter_async_context(opening)
        urls = {
            "bridge": await stack.enter_async_context(serving(server)),
            "sample": await stack.enter_async_context(serving(sample_server(sample))),
            **(others or {}),
        }
        mesh = await stack.enter_async_context(routing(urls, **router))
        mcp = await stack.enter_async_context(Client(mesh.mcp, **(client or {})))
        yield Bridged(router=mesh, runner=runner, sample=sample, client=mcp)
