"""What each MCP client wants to read about the router, and in which file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

NAME = "trunkline"
KEY_VARIABLE = "TRUNKLINE_API_KEY"
"""Where a client finds its key, unless it is told another name."""

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


def configurations(
    url: str, *, project: Path, home: Path, variable: str = ""
) -> dict[str, ClientConfiguration]:
    """Return every client's configuration for the router at `url`, by the client's name.

    `project` is where a client looks for the files of a project, `home` for those of a person;
    `Path()` and `Path("~")` do for whoever shows the files and writes none.
    `variable` is where the client finds its key: each of them can be told so, and no file ever
    holds a key.
    """
    http: dict[str, object] = {"type": "http", "url": url}
    shell = f" --header 'Authorization: Bearer ${{{variable}}}'" if variable else ""
    plain, braced = _header(variable, "${{{}}}"), _header(variable, "${{env:{}}}")
    known = (
        ClientConfiguration(
            client="claude",
            file=project / ".mcp.json",
            format="json",
            section="mcpServers",
            entry=http | plain,
            command=f"claude mcp add --transport http {NAME} {url}{shell}",
            note="Claude Code asks once whether it may use the servers of a project's .mcp.json.",
        ),
        ClientConfiguration(
            client="codex",
            file=home / ".codex" / "config.toml",
            format="toml",
            section="mcp_servers",
            entry={"url": url} | ({"bearer_token_env_var": variable} if variable else {}),
            command=f"codex mcp add {NAME} --url {url}"
            + (f" --bearer-token-env-var {variable}" if variable else ""),
        ),
        ClientConfiguration(
            client="copilot",
            file=home / ".copilot" / "mcp-config.json",
            format="json",
            section="mcpServers",
            entry=http | {"tools": ["*"]} | plain,
        ),
        ClientConfiguration(
            client="cursor",
            file=project / ".cursor" / "mcp.json",
            format="json",
            section="mcpServers",
            entry={"url": url} | braced,
        ),
        ClientConfiguration(
            client="vscode",
            file=project / ".vscode" / "mcp.json",
            format="json",
            section="servers",
            entry=http | braced,
        ),
        ClientConfiguration(
            client="gemini",
            file=project / ".gemini" / "settings.json",
            format="json",
            section="mcpServers",
            entry={"httpUrl": url} | plain,
            command=f"gemini mcp add --transport http{shell} {NAME} {url}",
        ),
        ClientConfiguration(
            client="goose",
            file=home / ".config" / "goose" / "config.yaml",
            format="yaml",
            section="extensions",
            entry=_goose(url) | plain | ({"env_keys": [variable]} if variable else {}),
        ),
        ClientConfiguration(
            client="opencode",
            file=project / "opencode.json",
            format="json",
            section="mcp",
            entry={"type": "remote", "url": url, "enabled": True} | _header(variable, "{{env:{}}}"),
        ),
    )
    return {configuration.client: configuration for configuration in known}


def _header(variable: str, reference: str) -> dict[str, object]:
    """Return the header that shows a key, as a client writes a reference to a variable."""
    value = f"Bearer {reference.format(variable)}"
    return {"headers": {"Authorization": value}} if variable else {}


def _goose(url: str) -> dict[str, object]:
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
