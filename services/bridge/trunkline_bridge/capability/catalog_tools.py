"""The tool that lists what the whole mesh offers to its caller."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from mcp_types import CallToolResult
from pydantic import Field

from trunkline_bridge.capability.bounding import KINDS, bounded
from trunkline_bridge.capability.catalog import Catalog, ServerEntry
from trunkline_bridge.capability.context_text import MESH_TOOLSET
from trunkline_bridge.capability.reading import Reading
from trunkline_bridge.capability.servers import known_server
from trunkline_shared.contracts import READ, Policy
from trunkline_shared.mesh.caller import entrance
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.mesh.lists import Lists
from trunkline_shared.mesh.states import MeshStates, ServerState
from trunkline_shared.together import together
from trunkline_shared.tool import tool

SIDE_BY_SIDE: Final = 8
"""Servers that are asked at a time: the caller's own limit counts these requests too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogTools:
    """Asks every server of the caller; one that fails costs its own entry."""

    lists: Lists
    states: MeshStates

    @tool("List capabilities", READ, Policy(toolset=MESH_TOOLSET), open_world=False)
    async def list_capabilities(
        self,
        server: Annotated[str, Field(max_length=100)] = "",
        query: Annotated[str, Field(max_length=200, description="Words that all occur")] = "",
        include_schemas: bool = False,  # noqa: FBT001, FBT002 - an argument of a tool
    ) -> Annotated[CallToolResult, Catalog]:
        """Servers of the mesh: health, tools with annotations, resources, templates, prompts."""
        reading = Reading(
            lists=self.lists, words=query.casefold().split(), with_schemas=include_schemas
        )
        found = await self.read("list_capabilities", reading, server)
        return CallToolResult(content=[], structured_content=found.to_json())

    async def read(self, wanted: str, reading: Reading, server: str = "") -> Catalog:
        """Return what the caller's servers offer, for what is `wanted`; or one server's."""
        mesh = entrance(wanted)
        states = await self.states.read(mesh)
        asked = {server: known_server(states, server)} if server else states
        found = await _side_by_side(mesh, asked, reading)
        return bounded([one for one in found if not reading.words or _has_any(one)])


async def _side_by_side(
    mesh: Entrance, states: Mapping[str, ServerState], reading: Reading
) -> list[ServerEntry]:
    turns = asyncio.Semaphore(SIDE_BY_SIDE)

    async def one(name: str, state: ServerState) -> ServerEntry:
        async with turns:
            return await reading.server(mesh, name, state)

    async with together() as tasks:
        entries = [tasks.create_task(one(name, state)) for name, state in states.items()]
    return [entry.result() for entry in entries]


def _has_any(entry: ServerEntry) -> bool:
    """Say whether words were found at a server; one that cannot be read may have them."""
    return entry.error_code is not None or any(getattr(entry, kind) for kind in KINDS)
