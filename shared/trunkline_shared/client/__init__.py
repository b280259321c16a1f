"""What clients are told of the mesh: the servers of a job, and the entry in their own files."""

from trunkline_shared.client.job_servers import build_allowed_mcp_tools, build_mcp_servers

__all__ = ["build_allowed_mcp_tools", "build_mcp_servers"]
