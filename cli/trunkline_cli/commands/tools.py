"""`trunkline tools`: the tools of the running router, and what they cost an agent."""

import argparse
import json
from dataclasses import dataclass

from trunkline_cli import pins, terminal
from trunkline_cli.environment import router_address
from trunkline_cli.failure import OK, unknown
from trunkline_cli.router_answers import Json
from trunkline_cli.router_client import RouterClient

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
    """Declare a server, output formats, and what is done about changed definitions."""
    parser.add_argument("server", nargs="?", help="only the tools of this server")
    parser.add_argument(
        "--json", action="store_true", help="print JSON: tools as the router lists them, or costs"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--tokens", action="store_true", help="print what each server's tools cost")
    what.add_argument(
        "--pins", action="store_true", help="print how tools differ from what was approved"
    )
    what.add_argument(
        "--approve",
        metavar="SERVER[.TOOL]",
        help="approve a server's changed tools, or one of them, as they are now",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print one line per tool, one per server, or what has changed since it was approved."""
    if arguments.approve:
        return pins.approve(arguments.approve)
    if arguments.pins:
        return pins.show(arguments.server, as_json=arguments.json)
    tools = _listed(arguments.server)
    if arguments.tokens:
        _print_costs(tools, as_json=arguments.json)
    elif arguments.json:
        listed = [{"server": tool.server, **tool.entry} for tool in tools]
        print(terminal.as_json(listed))
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


def _print_costs(tools: list[ListedTool], *, as_json: bool) -> None:
    servers = dict.fromkeys(tool.server for tool in tools)
    costs = [_cost(name, [tool for tool in tools if tool.server == name]) for name in servers]
    total = _cost("all", tools)
    if as_json:
        print(terminal.as_json({"servers": costs, "total": total}))
        return
    rows = [tuple(str(cell) for cell in row.values()) for row in (*costs, total)]
    print(terminal.table(("SERVER", "TOOLS", "TOKENS"), rows))


def _cost(server: str, tools: list[ListedTool]) -> Json:
    return {"server": server, "tools": len(tools), "tokens": sum(tool.tokens for tool in tools)}
