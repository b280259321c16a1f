"""Which tools a query may use: those that its servers offer its caller, and whether they write."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from trunkline_bridge.query.patterns import ANY, ToolPattern, refused_pattern
from trunkline_bridge.query.runner import Query
from trunkline_shared.errors import UpstreamError
from trunkline_shared.mesh.answers import Json, is_object
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.mesh.lists import Lists
from trunkline_shared.together import together

_LIST_S: Final = 5.0

Tools = Mapping[str, bool]
"""Whether each tool of a server is marked to read only, by its name there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Asks the router; it knows each server's tools without asking the server."""

    asking: Asking

    async def may_write(self, to: Entrance, query: Query) -> bool:
        """Say whether any tool of the query may write; true where that cannot be known.

        Raises InvalidInput for a tool that its server does not offer, with the nearest.
        """
        async with together() as tasks:
            asked = {each: tasks.create_task(self._tools(to, each)) for each in query.servers}
        offered = {server: task.result() for server, task in asked.items()}
        _check_offered(query.tools, offered)
        return any(_may_write(pattern, offered[pattern.server]) for pattern in query.tools)

    async def _tools(self, to: Entrance, server: str) -> Tools:
        try:
            listed = await Lists(asking=self.asking, page_s=_LIST_S).tools(to.of_server(server))
        except UpstreamError:
            # A list that cannot be had says nothing: the token bounds the agent, not this list.
            return {}
        return {name: _reads_only(tool) for name, tool in listed.items()}


def _reads_only(tool: Json) -> bool:
    annotations = tool.get("annotations")
    return is_object(annotations) and annotations.get("readOnlyHint") is True


def _check_offered(patterns: Sequence[ToolPattern], offered: Mapping[str, Tools]) -> None:
    for index, pattern in enumerate(patterns):
        tools = offered[pattern.server]
        if pattern.tool == ANY or not tools or pattern.tool in tools:
            continue
        near = difflib.get_close_matches(pattern.tool, tools, n=1, cutoff=0.5)
        meant = ToolPattern(server=pattern.server, tool=near[0] if near else ANY)
        raise refused_pattern(
            index,
            str(pattern),
            f"names a tool that the server {pattern.server!r} does not offer you",
            f"Did you mean {meant}?" if near else f"{meant} is all that it offers.",
        )


def _may_write(pattern: ToolPattern, tools: Tools) -> bool:
    named = [reads for tool, reads in tools.items() if pattern.matches(pattern.server, tool)]
    return not named or not all(named)
