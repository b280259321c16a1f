"""Where a router is entered, and with what."""

from dataclasses import dataclass, field

_MCP = "/mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """The URL of a router's `/mcp`, and the token that opens it; without one it needs none."""

    url: str
    token: str | None = field(default=None, repr=False)

    @property
    def base(self) -> str:
        """The router's URL without `/mcp`."""
        return self.url.partition("?")[0].rstrip("/").removesuffix(_MCP)

    def of_server(self, server: str) -> "Entrance":
        """Return the entrance to one server alone, where its tools have their own names."""
        return Entrance(url=f"{self.base}/servers/{server}{_MCP}", token=self.token)

    def page(self, path: str) -> str:
        """Return the URL of one of the router's own pages, such as `/api/mesh`."""
        return f"{self.base}{path}"

    @property
    def headers(self) -> dict[str, str]:
        """The header that shows the token."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}
