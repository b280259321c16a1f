"""The bridge and a sample server behind a real router, asked as whoever a test says."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tests.interaction.keys import ask
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from tests.interaction.wire import Reply, failure, text_of
from trunkline_bridge.app import open_server
from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import serving


@dataclass(frozen=True, kw_only=True)
class CapabilityMesh:
    """A router before the bridge, at `bridge`, and the sample server."""

    router: Mesh
    bridge: str
    sample: SampleTools

    async def raw(self, tool: str, /, bearer: str | None = None, **arguments: object) -> Reply:
        """Call a tool through the router."""
        params = {"name": tool, "arguments": arguments}
        return await ask(self.router, bearer, "tools/call", params)

    async def answer(self, tool: str, /, bearer: str | None = None, **arguments: object) -> Any:
        """Call a tool and return its structured answer."""
        reply = await self.raw(tool, bearer, **arguments)
        assert "structuredContent" in reply.result, reply.body
        return reply.result["structuredContent"]

    async def refused(self, tool: str, /, bearer: str | None = None, **arguments: object) -> Any:
        """Call a tool and return the failure it answers with."""
        return failure(await self.raw(tool, bearer, **arguments))

    async def context(self, bearer: str | None = None, **arguments: object) -> str:
        """Return the block of text for a prompt."""
        return text_of(await self.raw("format_for_context", bearer, **arguments))

    async def read(self, uri: str, bearer: str | None = None) -> Reply:
        """Read a resource through the router."""
        return await ask(self.router, bearer, "resources/read", {"uri": uri})


@asynccontextmanager
async def capability_mesh(
    others: Mapping[str, str] | None = None,
    *,
    settings: Mapping[str, object] | None = None,
    **router: Any,
) -> AsyncIterator[CapabilityMesh]:
    """Run the mesh; `settings` are the bridge's, `others` further servers by id and base URL."""
    sample = SampleTools()
    kept = load(BridgeSettings, {"toolsets": "all", **(settings or {})})
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(open_server(kept, in_process_store()))
        bridge = await stack.enter_async_context(serving(server))
        near = await stack.enter_async_context(serving(sample_server(sample)))
        urls = {"bridge": bridge, "sample": near, **(others or {})}
        mesh = await stack.enter_async_context(routing(urls, **router))
        yield CapabilityMesh(router=mesh, bridge=bridge, sample=sample)
