"""`trunkline context`: a token for one job, minted by the running router."""

import argparse
import re
from collections.abc import Iterable

from trunkline_cli import terminal
from trunkline_cli.environment import router_address
from trunkline_cli.failure import OK, USAGE, CommandFailed
from trunkline_cli.router_answers import Json
from trunkline_cli.router_client import RouterClient
from trunkline_shared.client.configuration import NAME

_DURATION = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s?)?")
_HOUR_S, _MINUTE_S = 3600, 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the job is, and what it may do."""
    parser.add_argument(
        "--bind",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="owner, repo, pr_number, issue_number, comment_id, project_id, branch or issue_key",
    )
    parser.add_argument(
        "--tool",
        action="append",
        default=[],
        metavar="GLOB",
        help="a tool that it may call, over mcp__SERVER__TOOL; all of yours when left out",
    )
    parser.add_argument("--ttl", default="1h", help="90s, 30m, 1h (the default), 24h at the most")
    parser.add_argument("--observe", action="store_true", help="let it read /status as well")
    parser.add_argument("--json", action="store_true", help="print {token, url, expires_at}")


def run(arguments: argparse.Namespace) -> int:
    """Mint the token and print it; it is kept nowhere."""
    asked: Json = {"bind": _bindings(arguments.bind), "ttl_s": _seconds(arguments.ttl)}
    if arguments.tool:
        asked["tools"] = arguments.tool
    if arguments.observe:
        asked["scopes"] = ["tools", "observe"]
    with RouterClient(router_address()) as router:
        minted = router.post("/contexts", asked)
    if arguments.json:
        terminal.say(terminal.as_json(minted))
    else:
        _print(minted)
    return OK


def _bindings(words: Iterable[str]) -> dict[str, str]:
    bound: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key or not value:
            raise CommandFailed(
                f"--bind {word}: write it as KEY=VALUE, such as pr_number=12", USAGE
            )
        if key in bound:
            raise CommandFailed(f"--bind {key} was given twice", USAGE)
        bound[key] = value
    return bound


def _seconds(text: str) -> int:
    match = _DURATION.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        raise CommandFailed(f"--ttl {text}: write it as 90s, 30m or 1h30m", USAGE)
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * _HOUR_S + minutes * _MINUTE_S + seconds


def _print(minted: Json) -> None:
    for name in ("token", "url", "expires_at"):
        terminal.say(f"{name:<12}{minted.get(name, '')}")
    entry = {
        "type": "http",
        "url": minted.get("url"),
        "headers": {"Authorization": f"Bearer {minted.get('token')}"},
    }
    terminal.say()
    terminal.say(terminal.paint("# for the job's MCP client, such as .mcp.json:", "dim"))
    terminal.say(terminal.as_json({"mcpServers": {NAME: entry}}))
