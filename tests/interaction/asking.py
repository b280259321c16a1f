"""Asking one GitHub server as an agent does: its tools in `acme/widgets`, their answers read."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from mcp import Client
from mcp_types import CallToolResult, TextContent

from trunkline_shared.server import ToolServer
from trunkline_shared.settings import Settings, load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.serving import serving

OpenServer = Callable[..., AbstractAsyncContextManager[ToolServer]]

HERE: Mapping[str, object] = {"owner": "acme", "repo": "widgets"}


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A client, and the arguments that each of its calls has unless it says otherwise."""

    here: ClassVar[Mapping[str, object]] = HERE

    client: Client

    async def raw(self, tool: str, *, meta: Any = None, **arguments: object) -> CallToolResult:
        """Call a tool."""
        result = await self.client.call_tool(tool, {**self.here, **arguments}, meta=meta)
        assert isinstance(result, CallToolResult)
        return result

    async def call(self, tool: str, *, meta: Any = None, **arguments: object) -> dict[str, Any]:
        """Call a tool and return what it answers; its text says the same."""
        result = await self.raw(tool, meta=meta, **arguments)
        assert not result.is_error, text_of(result)
        assert result.structured_content is not None
        answer: dict[str, Any] = result.structured_content
        assert json.loads(text_of(result)) == answer
        return answer

    async def refused(self, tool: str, *, meta: Any = None, **arguments: object) -> dict[str, Any]:
        """Call a tool and return the failure it answers with."""
        return failure_of(await self.raw(tool, meta=meta, **arguments))


def text_of(result: CallToolResult) -> str:
    """Return the one text block of a result."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def failure_of(result: CallToolResult) -> dict[str, Any]:
    """Return the payload of a failure: one JSON text block and no structured content."""
    assert result.is_error
    assert result.structured_content is None
    payload: dict[str, Any] = json.loads(text_of(result))
    assert payload["isError"] is True
    return payload


@asynccontextmanager
async def connected(
    open_server: OpenServer, kind: type[Settings], clock: FakeClock, settings: Mapping[str, object]
) -> AsyncIterator[Client]:
    """Serve a server with these settings, at its own pace, and connect to it."""
    given = {"github_write_interval_s": 0, "netrc": "/nonexistent", **settings}
    async with (
        open_server(load(kind, given), in_process_store(clock), clock) as server,
        serving(server) as url,
        Client(f"{url}/mcp") as client,
    ):
        yield client
