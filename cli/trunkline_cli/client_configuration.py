"""What each MCP client wants to read about the router, and in which file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

NAME = "trunkline"

Format = Literal["json", "toml", "yaml"]
Entry = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientConfiguration:
    """Where a client keeps its servers, and our entry in it.

    `section` is the key of the table of servers in the file; `command` is the client's own way to
    add a server, where it has one.
    """

    client: str
    file: Path
    format: Format
    section: str
    entry: Entry
    command: str | None = None
    note: str | None = None

    @property
    def document(self) -> dict[str, object]:
        """The file as it is when it holds nothing but our entry."""
        return {self.section: {NAME: dict(self.entry)}}


def configurations(url: str, *, project: Path, home: Path) -> dict[str, ClientConfiguration]:
    """Return every client's configuration for the router at `url`, by the client's name.

    `project` is where a client looks for the files of a project, `home` for those of a person.
    """
    http: Entry = {"type": "http", "url": url}
    known = (
        ClientConfiguration(
            client="claude",
            file=project / ".mcp.json",
            format="json",
            section="mcpServers",
            entry=http,
            command=f"claude mcp add --transport http {NAME} {url}",
            note="Claude Code asks once whether it may use the servers of a project's .mcp.json.",
        ),
        ClientConfiguration(
            client="codex",
            file=home / ".codex" / "config.toml",
            format="toml",
            section="mcp_servers",
            entry={"url": url},
            command=f"codex mcp add {NAME} --url {url}",
        ),
        ClientConfiguration(
            client="copilot",
            file=home / ".copilot" / "mcp-config.json",
            format="json",
            section="mcpServers",
            entry={**http, "tools": ["*"]},
        ),
        ClientConfiguration(
            client="cursor",
            file=project / ".cursor" / "mcp.json",
            format="json",
            section="mcpServers",
            entry={"url": url},
        ),
        ClientConfiguration(
            client="vscode",
            file=project / ".vscode" / "mcp.json",
            format="json",
            section="servers",
            entry=http,
        ),
        ClientConfiguration(
            client="gemini",
            file=project / ".gemini" / "settings.json",
            format="json",
            section="mcpServers",
            entry={"httpUrl": url},
            command=f"gemini mcp add --transport http {NAME} {url}",
        ),
        ClientConfiguration(
            client="goose",
            file=home / ".config" / "goose" / "config.yaml",
            format="yaml",
            section="extensions",
            entry=_goose(url),
        ),
        ClientConfiguration(
            client="opencode",
            file=project / "opencode.json",
            format="json",
            section="mcp",
            entry={"type": "remote", "url": url, "enabled": True},
        ),
    )
    return {configuration.client: configuration for configuration in known}


def _goose(url: str) -> Entry:
    return {
        "enabled": True,
        "type": "streamable_http",
        "name": NAME,
        "description": "Every tool of the team behind one URL",
        "uri": url,
        "envs": {},
        "env_keys": [],
        "headers": {},
        "timeout": 300,
    }
