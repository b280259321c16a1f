"""The resources: what the mesh offers, and its breakers, as JSON read live for each reader."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import orjson
from mcp.server.caching import CacheableMethod, CacheHint

from trunkline_bridge.capability.catalog_tools import CatalogTools
from trunkline_bridge.capability.health_tools import HealthTools
from trunkline_bridge.capability.reading import Reading
from trunkline_shared.server import ToolServer

CAPABILITIES: Final = "mesh://capabilities"
BREAKERS: Final = "mesh://breakers"
JSON: Final = "application/json"
_LIST: Final = CacheHint(ttl_ms=5000, scope="private")
CACHE_HINTS: Final[Mapping[CacheableMethod, CacheHint]] = {
    "resources/list": _LIST,
    "resources/templates/list": _LIST,
    "prompts/list": _LIST,
    "resources/read": CacheHint(ttl_ms=0, scope="private"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What can be read; nobody is told of changes, which are a question away."""

    catalog: CatalogTools
    health: HealthTools

    async def capabilities(self) -> str:
        """Servers of the mesh with their tools, resources and prompts: list_capabilities."""
        found = await self.catalog.read(CAPABILITIES, Reading(lists=self.catalog.lists))
        return orjson.dumps(found.to_json()).decode()

    async def breakers(self) -> str:
        """Circuit breaker of every server: get_circuit_breaker_states."""
        return (await self.health.breakers(BREAKERS)).model_dump_json()


def add_resources(server: ToolServer, resources: Resources) -> None:
    """Register the resources with `server`."""
    server.resource(CAPABILITIES, name="capabilities", title="Capabilities", mime_type=JSON)(
        resources.capabilities
    )
    server.resource(BREAKERS, name="breakers", title="Circuit breakers", mime_type=JSON)(
        resources.breakers
    )
