"""What clients have of the mesh: a job's servers, the entry in their files, a program's own way."""

from importlib import import_module
from typing import TYPE_CHECKING

from trunkline_shared.client.job_servers import build_allowed_mcp_tools, build_mcp_servers

if TYPE_CHECKING:
    from trunkline_shared.client.mesh_client import MeshClient
    from trunkline_shared.client.queries import QueryOptions, QueryResult, ToolCall
    from trunkline_shared.client.tool_result import CallNote, ToolResult

__all__ = [
    "CallNote",
    "MeshClient",
    "QueryOptions",
    "QueryResult",
    "ToolCall",
    "ToolResult",
    "build_allowed_mcp_tools",
    "build_mcp_servers",
]

_OF_PROGRAMS = {
    "CallNote": "tool_result",
    "MeshClient": "mesh_client",
    "QueryOptions": "queries",
    "QueryResult": "queries",
    "ToolCall": "queries",
    "ToolResult": "tool_result",
}


def __getattr__(name: str) -> object:
    # Whoever builds a configuration need not wait for an HTTP client.
    if name not in _OF_PROGRAMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_OF_PROGRAMS[name]}"), name)
    return found
