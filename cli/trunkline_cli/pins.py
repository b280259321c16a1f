"""Changed tool definitions at a terminal: what differs from what was approved, and the approval."""

from urllib.parse import quote

from trunkline_cli import terminal
from trunkline_cli.environment import router_address
from trunkline_cli.failure import OK, unknown
from trunkline_cli.router_answers import Json
from trunkline_cli.router_client import RouterClient

_COLOURS: dict[str, terminal.Colour] = {"+": "green", "-": "red", "@": "cyan"}


def show(only: str | None, *, as_json: bool) -> int:
    """Print each tool that is not as it was approved, with the difference."""
    with RouterClient(router_address()) as router:
        changes = [_changes(router, server) for server in _servers(router, only)]
    changed = [each for each in changes if each.get("tools")]
    if as_json:
        print(terminal.as_json(changed))
        return OK
    for each in changed:
        for tool in each["tools"]:
            _print(str(each["server"]), tool)
    if not changed:
        terminal.say("Every tool is as it was approved.")
    return OK


def approve(named: str) -> int:
    """Approve a server's tools, or one of them, as they are now."""
    with RouterClient(router_address()) as router:
        server, _, tool = named.partition(".")
        (server,) = _servers(router, server)
        body = {"approve": [tool] if tool else []}
        answer = router.post(_path(server), body)
    for approved in answer.get("approved", []):
        terminal.say(f"approved {server}.{approved}")
    return OK


def _servers(router: RouterClient, only: str | None) -> list[str]:
    servers = router.servers()
    if only is not None and only not in servers:
        raise unknown("server", only, servers)
    return servers if only is None else [only]


def _changes(router: RouterClient, server: str) -> Json:
    return router.get(_path(server))


def _path(server: str) -> str:
    return f"/api/servers/{quote(server, safe='')}/pins"


def _print(server: str, tool: Json) -> None:
    held = ", held back" if tool.get("held") else ""
    title = f"{server}.{tool.get('tool')}: {tool.get('state')}{held}"
    terminal.say(terminal.paint(title, "bold"))
    for line in str(tool.get("diff", "")).splitlines():
        colour = _COLOURS.get(line[:1])
        terminal.say("  " + (terminal.paint(line, colour) if colour else line))
