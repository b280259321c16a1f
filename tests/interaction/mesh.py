"""A whole router in process, in front of servers on real sockets."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated

from mcp.server.mcpserver import Context
from pydantic import BaseModel, Field

from trunkline_router.adapters.live_catalog import LiveCatalog, Pace
from trunkline_router.adapters.otel_metrics import OtelMetrics
from trunkline_router.composition.plan import Surroundings, Terms
from trunkline_router.composition.router import serving
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.model import Limits
from trunkline_router.span import Span
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.contracts import READ, WRITE, Policy, Writes
from trunkline_shared.errors import NotFound
from trunkline_shared.server import ToolServer
from trunkline_shared.store.store import Store, in_process_store
from trunkline_shared.testing.serving import address, free_socket
from trunkline_shared.tool import tool, tools_of

QUICK = Terms(
    limits=Limits(body_s=0.3, connect_s=1.0, margin_s=0.2, close_s=0.3),
    pace=Pace(
        budget_s=4.0,
        foreign_budget_s=3.0,
        refresh_s=5.0,
        retry_s=0.02,
        apart_s=0.01,
        look_again_s=0.0,
        load_s=4.0,
    ),
)


class Said(BaseModel):
    said: str


@dataclass(frozen=True)
class SampleTools:
    """Tools that do what a test needs a server to do."""

    started: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    seen: list[dict[str, object]] = field(default_factory=list)

    @tool("Echo", READ, Policy(timeout_s=5))
    async def echo(self, text: Annotated[str, Field(description="What to say.")]) -> Said:
        """Say it again."""
        return Said(said=text)

    @tool("Count", READ, Policy(timeout_s=5))
    async def count(self, steps: Annotated[int, Field(ge=1)], context: Context) -> Said:
        """Report progress, then answer."""
        for step in range(1, steps + 1):
            await context.report_progress(step, steps, f"step {step}")
        return Said(said=f"{steps} steps")

    @tool("Hang", READ, Policy(timeout_s=30))
    async def hang(self) -> Said:
        """Wait until cancelled."""
        self.started.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.set()
        return Said(said="never")

    @tool("Slow write", WRITE, Policy(timeout_s=0.2, writes=Writes(tags=())))
    async def slow_write(self) -> Said:
        """Write longer than its time."""
        await asyncio.Event().wait()
        return Said(said="never")

    @tool("Fail", READ, Policy())
    async def fail(self) -> Said:
        """Find nothing."""
        raise NotFound("There is no such thing.", hint="Try another.")

    @tool("Touch", WRITE, Policy())
    async def touch(self, context: Context) -> Said:
        """Say that the fixed resource has changed."""
        await context.notify_resource_updated("sample://fixed")
        return Said(said="touched")

    @tool("Meta", READ, Policy(timeout_s=7))
    async def meta(self, context: Context) -> Said:
        """Note the request's meta and headers."""
        given = context.request_context.meta or {}
        self.seen.append({"meta": dict(given), "headers": dict(context.headers or {})})
        return Said(said="noted")


def sample_server(tools: SampleTools | None = None) -> ToolServer:
    """Return a server with every kind of thing a server offers."""
    server = ToolServer(
        "sample",
        version="1.2.3",
        instructions="Samples for tests.",
        tools=tools_of(tools or SampleTools()),
    )

    @server.resource("sample://fixed", name="fixed")
    def fixed() -> str:
        return "fixed text"

    @server.resource("sample://item/{number}", name="item")
    def item(number: str) -> str:
        return f"item {number}"

    @server.prompt()
    def greet(name: str) -> str:
        return f"Greet {name}."

    return server


@dataclass(frozen=True, kw_only=True)
class Mesh:
    """A running router."""

    url: str
    catalog: LiveCatalog
    spans: list[Span]

    @property
    def mcp(self) -> str:
        return f"{self.url}/mcp"

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


@asynccontextmanager
async def routing(
    servers: Mapping[str, str],
    *,
    terms: Terms = QUICK,
    settled: bool = True,
    configured: Mapping[str, object] | None = None,
    store: Store | None = None,
    clock: Clock | None = None,
    **given: object,
) -> AsyncIterator[Mesh]:
    """Run a router in front of `servers` (id to base URL, `/mcp` is added).

    `configured` is the content of a `trunkline.yaml`, `given` are the router's settings,
    and `metrics`, which sends what is measured.
    """
    metrics = given.pop("metrics", None)
    assert metrics is None or isinstance(metrics, OtelMetrics)
    spans: list[Span] = []
    settings = RouterSettings.model_validate({
        "server_urls": {server: f"{url}/mcp" for server, url in servers.items()},
        **given,
    })
    on = free_socket()
    time = clock or SystemClock()
    around = Surroundings(
        clock=time,
        spans=[spans.append],
        metrics=metrics,
        terms=terms,
        configuration=Configuration.model_validate(configured or {}),
        store=store or in_process_store(time),
    )
    async with serving(settings, on, around) as catalog:
        if settled:
            async with asyncio.timeout(10):
                await catalog.wait_sought()
        yield Mesh(url=address(on), catalog=catalog, spans=spans)
