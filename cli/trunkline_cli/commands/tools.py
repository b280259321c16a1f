"""`trunkline tools`: the tools of the running router, and what they cost an agent."""

import argparse
import json
from dataclasses import dataclass

from trunkline_cli import terminal
from trunkline_cli.environment import router_address
from trunkline_cli.failure import OK, unknown
from trunkline_cli.router_client import Json, RouterClient

POLICY = "dev.trunkline/policy"
BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTool:
    """A tool and the server that has it."""

    server: str
    entry: Json

    @property
    def name(self) -> str:
        return str(self.entry.get("name", ""))

    @property
    def title(self) -> str:
        annotations = self.entry.get("annotations") or {}
        return str(self.entry.get("title") or annotations.get("title") or "")

    @property
    def toolset(self) -> str:
        policy = (self.entry.get("_meta") or {}).get(POLICY) or {}
        return str(policy.get("toolset", "default"))

    @property
    def tokens(self) -> int:
        """What a model pays for the tool in each turn, at four bytes per token."""
        read = {key: self.entry.get(key) for key in ("name", "description", "inputSchema")}
        size = len(json.dumps(read, ensure_ascii=False, separators=(",", ":")).encode())
        return -(-size // BYTES_PER_TOKEN)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare a server and output formats."""
    parser.add_argument("server", nargs="?", help="only the tools of this server")
    parser.add_argument(
        "--json", action="store_true", help="print each tool as the router lists it"
    )
    parser.add_argument("--tokens", action="store_true", help="print what each server's tools cost")


def run(arguments: argparse.Namespace) -> int:
    """Print one line per tool, or with `--tokens` one per server."""
    tools = _listed(arguments.server)
    if arguments.json:
        listed = [{"server": tool.server, **tool.entry} for tool in tools]
        print(terminal.as_json(listed))
    elif arguments.tokens:
        print(terminal.table(("SERVER", "TOOLS", "TOKENS"), _costs(tools)))
    else:
        rows = [(tool.server, tool.name, tool.toolset, tool.title) for tool in tools]
        print(terminal.table(("SERVER", "TOOL", "TOOLSET", "TITLE"), rows))
    return OK


def _listed(only: str | None) -> list[ListedTool]:
    with RouterClient(router_address()) as router:
        servers = router.servers()
        if only is not None and only not in servers:
            raise unknown("server", only, servers)
        return [
            ListedTool(server=server, entry=entry)
            for server in servers
            if only in {None, server}
            for entry in router.all_pages("tools/list", "tools", server=server)
        ]


def _costs(tools: list[ListedTool]) -> list[tuple[str, str, str]]:
    servers = dict.fromkeys(tool.server for tool in tools)
    rows = [(name, [tool for tool in tools if tool.server == name]) for name in servers]
    return [(name, str(len(own)), _total(own)) for name, own in [*rows, ("all", tools)]]


def _total(tools: list[ListedTool]) -> str:
    return str(sum(tool.tokens for tool in tools))
