"""The tools that a prompt may use: `mcp__server__tool` and `mcp__server__*`."""

from dataclasses import dataclass

ANY = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPattern:
    """One tool of a server, or all of them."""

    server: str
    tool: str = ANY

    def __str__(self) -> str:
        return f"mcp__{self.server}__{self.tool}"
