"""What clients have of the mesh: a job's servers, the entry in their files, a program's own way."""

from importlib import import_module
from typing import TYPE_CHECKING

from trunkline_shared.client.job_servers import build_allowed_mcp_tools, build_mcp_servers

if TYPE_CHECKING:
    from trunkline_shared.client.mesh_client import MeshClient
    from trunkline_shared.client.queries import QueryOptions, QueryResult, ToolCall
    from trunkline_shared.client.standing import Availability
    from trunkline_shared.client.tool_result import CallNote, ToolResult
    from trunkline_shared.client.work import WorkContext, WorkPart
    from trunkline_shared.mesh.states import BreakerState

__all__ = [
    "Availability",
    "BreakerState",
    "CallNote",
    "MeshClient",
    "QueryOptions",
    "QueryResult",
    "ToolCall",
    "ToolResult",
    "WorkContext",
    "WorkPart",
    "build_allowed_mcp_tools",
    "build_mcp_servers",
]

_OF_PROGRAMS = {
    "Availability": "client.standing",
    "BreakerState": "mesh.states",
    "CallNote": "client.tool_result",
    "MeshClient": "client.mesh_client",
    "QueryOptions": "client.queries",
    "QueryResult": "client.queries",
    "ToolCall": "client.queries",
    "ToolResult": "client.tool_result",
    "WorkContext": "client.work",
    "WorkPart": "client.work",
}


if not TYPE_CHECKING:  # to a type checker, a name that is not above is a mistake

    def __getattr__(name: str) -> object:
        # Whoever builds a configuration need not wait for an HTTP client.
        if name not in _OF_PROGRAMS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"trunkline_shared.{_OF_PROGRAMS[name]}"), name)
