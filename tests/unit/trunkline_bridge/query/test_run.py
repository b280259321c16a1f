"""One run of an agent: what is told of it when its time is over."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from mcp_types import ClientCapabilities

from trunkline_bridge.query.patterns import ToolPattern
from trunkline_bridge.query.run import Run
from trunkline_bridge.query.runner import Answer, Asker, Query, Turn
from trunkline_shared.errors import UpstreamTimeout
from trunkline_shared.mesh.entrance import Entrance

pytestmark = pytest.mark.anyio

CALLS = [{"server": "a", "tool": "write", "ok": True, "ms": 1}]
QUERY = Query(prompt="x", tools=(ToolPattern(server="a"),), model="m", max_turns=3, timeout_s=0.05)


@dataclass(frozen=True, kw_only=True)
class Late:
    """A runner that comes to no end in its time."""

    ends: Callable[[float], Awaitable[None]]

    def can(self, asker: Asker) -> str | None:
        return None

    async def run(self, query: Query, mesh: Entrance, asker: Asker, on_turn: Turn) -> Answer:
        await self.ends(query.timeout_s)
        raise AssertionError


async def on_its_own(seconds: float) -> None:
    """Keep the time, and tell what was called until then."""
    try:
        async with asyncio.timeout(seconds):
            await asyncio.Event().wait()
    except TimeoutError:
        raise UpstreamTimeout("Late.", details={"turns": 2, "tool_calls": CALLS}) from None


async def never(_: float) -> None:
    """Know of no time."""
    await asyncio.Event().wait()


@pytest.mark.requirement("bridge.query-deadline")
@pytest.mark.parametrize(
    ("ends", "told"), [(on_its_own, {"turns": 2, "tool_calls": CALLS}), (never, {"turns": 0})]
)
async def test_a_run_out_of_time_tells_what_it_has_called(
    ends: Callable[[float], Awaitable[None]], told: dict[str, object]
) -> None:
    """As far as its runner knows: whoever reads it looks there before asking again."""
    asker = Asker(capabilities=ClientCapabilities())
    run = Run(query=QUERY, may_write=True)
    async with asyncio.timeout(5):
        with pytest.raises(UpstreamTimeout) as late:
            await run.ended(Late(ends=ends), Entrance(url="http://x/mcp"), asker)
    assert late.value.details == {
        "timeout_ms": 50,
        **told,
        "failed": "agent",
        "may_have_happened": True,
    }
    assert not late.value.retryable
