"""Running the tools that a model asked for, through the router: the query's own and no others."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from mcp_types import ToolResultContent, ToolUseContent

from trunkline_bridge.query.models import ToolCall
from trunkline_bridge.sampling.offered_tools import OfferedTool, OfferedTools
from trunkline_bridge.sampling.tool_results import failure_of, result_of
from trunkline_shared.clock import Clock
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import Overloaded, TrunklineError, Unsupported
from trunkline_shared.mesh.answers import Json, failure
from trunkline_shared.mesh.asking import CALL, Asking
from trunkline_shared.mesh.entrance import Entrance

MOST_AT_ONCE: Final = 16
_LONGEST_S: Final = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A tool use with what came of it; without a call when no tool was called."""

    result: ToolResultContent
    call: ToolCall | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRuns:
    """Runs the tool uses of one turn: reads all at once, writes one after another as asked for."""

    asking: Asking
    clock: Clock
    mesh: Entrance
    offered: OfferedTools
    _one_write: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, uses: Sequence[ToolUseContent], most_bytes: int) -> list[Ran]:
        """Return what came of each use, in their order, each result of so many bytes at most.

        Whatever goes wrong is a result that the model reads; cancelled, all of them are.
        """
        async with asyncio.TaskGroup() as tasks:
            running = [
                tasks.create_task(self._run(use, most_bytes, number))
                for number, use in enumerate(uses)
            ]
        return [task.result() for task in running]

    async def _run(self, use: ToolUseContent, most_bytes: int, number: int) -> Ran:
        try:
            if number >= MOST_AT_ONCE:
                raise Overloaded(f"Not run: {MOST_AT_ONCE} tools are the most at once.")
            tool = self.offered.named(use.name)
        except TrunklineError as error:
            return Ran(result=failure_of(use.id, error, most_bytes))
        if tool.reads:
            return await self._called(tool, use, most_bytes)
        async with self._one_write:
            return await self._called(tool, use, most_bytes)

    async def _called(self, tool: OfferedTool, use: ToolUseContent, most_bytes: int) -> Ran:
        begun = self.clock.monotonic()
        error: TrunklineError | None = None
        try:
            answer = await self._answer(tool, use)
            result = result_of(use.id, answer, most_bytes)
            error = failure(tool.tool, answer) if result.is_error else None
        except TrunklineError as refused:
            error, result = refused, failure_of(use.id, refused, most_bytes)
        call = ToolCall(
            server=tool.server,
            tool=tool.tool,
            ok=error is None,
            ms=round((self.clock.monotonic() - begun) * 1000),
            error_code=None if error is None else error.code,
        )
        return Ran(result=result, call=call)

    async def _answer(self, tool: OfferedTool, use: ToolUseContent) -> Json:
        to, params = self.mesh.of_server(tool.server), {"name": tool.tool, "arguments": use.input}
        answer = await self.asking.ask(to, CALL, params, remaining(_LONGEST_S))
        if answer.get("resultType", "complete") != "complete":
            raise Unsupported(f"{tool.tool} asks its caller something, and nobody can answer here.")
        return answer
