"""What is said about a mesh that has just become ready, wherever it runs."""

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

from trunkline_cli import terminal
from trunkline_cli.demo import EXAMPLES
from trunkline_cli.environment import API_KEY, DEFAULT_PORT, RouterAddress
from trunkline_cli.invocation import invocation
from trunkline_cli.router_answers import Json
from trunkline_shared.client.configuration import configurations


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What there is to say.

    `address` is where clients reach the router, `status` what it says of its servers, `seconds` how
    long they took. With `keyed`, nobody gets in without a key; `key_file` holds one, if any does.
    """

    address: RouterAddress
    configuration: str
    status: Json
    seconds: float
    warnings: Sequence[str]
    keyed: bool
    key_file: Path | None = None


def announce_start(start: Start) -> None:
    """Print the servers, the URLs, and what a client needs."""
    say, paint = terminal.say, terminal.paint
    url = start.address.url
    for name, server in start.status.get("servers", {}).items():
        say(_server_line(name, server))
    for warning in start.warnings:
        say(f"  {paint('warning', 'yellow')} {warning}")
    say()
    say(
        f"Ready in {start.seconds:.1f} s at {paint(start.address.mcp, 'bold')} "
        f"(status: {url}/status)"
    )
    login = " (a key with the scope observe logs in)" if start.keyed else ""
    say(f"Dashboard: {paint(f'{url}/', 'bold')}{login}")
    say(f"Configuration: {start.configuration}")
    if start.key_file is not None:
        say(f"Key: {start.key_file}")
    say()
    _announce_client(start)


def _announce_client(start: Start) -> None:
    say = terminal.say
    variable = API_KEY if start.keyed else ""
    known = configurations(start.address.mcp, project=Path(), home=Path(), variable=variable)
    claude = known["claude"]
    say(f"Connect a client ({invocation()} connect CLIENT knows eight of them):")
    if start.key_file is not None:
        say(f'  export {API_KEY}="$(cat {start.key_file})"')
    say(f"  {claude.command}")
    say("or, as JSON:")
    say(json.dumps(claude.document, indent=2))
    if variable:
        say(_of_keys(start.key_file))
    say()


def _of_keys(key_file: Path | None) -> str:
    more = f"`{invocation()} key create NAME"
    if key_file is None:
        return f"{API_KEY} holds the client's key; {more}` makes one."
    return (
        f"{API_KEY} holds the client's key, here the owner's, which may do everything; "
        f"{more} --config FILE` makes narrower ones, FILE being the configuration above."
    )


def examples(port: int, servers: Container[str], where: str) -> str:
    """Return a command for each vendor that the demo serves; `where` says who can give them."""
    elsewhere = "" if port == DEFAULT_PORT else f"TRUNKLINE_PORT={port} "
    known = [words for server, words in EXAMPLES.items() if server in servers]
    lines = [f"  {elsewhere}{invocation()} {words}" for words in known]
    return "\n".join([f"Try it, {where}:", *lines, ""]) if lines else ""


def _server_line(name: str, server: Json) -> str:
    if server.get("available"):
        return f"  {terminal.paint('ready', 'green')}   {name} ({server.get('tools', 0)} tools)"
    mark = terminal.paint("missing", "red")
    return f"  {mark} {name}: it does not answer yet; the log says why"
