"""`trunkline trace`: the newest calls, or one of them with all of its steps."""

import argparse
import shutil
import sys
from urllib.parse import quote, urlencode

from trunkline_cli import terminal, trace_text, waterfall
from trunkline_cli.environment import router_address
from trunkline_cli.failure import OK, USAGE, CommandFailed
from trunkline_cli.router_client import RouterClient

PAGE = "/api/traces"
_FILTERS = ("server", "tool", "agent", "source")
_MOST = 100_000
_WIDE = 120
"""Columns where nobody looks at a terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare which trace, or which of them."""
    parser.add_argument(
        "id", nargs="?", metavar="ID", help="a trace, as far as its id is unique; else the newest"
    )
    parser.add_argument("--errors", action="store_true", help="only those that failed")
    parser.add_argument("--all", action="store_true", help="listings and greetings, too")
    for name in _FILTERS:
        parser.add_argument(f"--{name}", default="", help=f"only those of this {name}")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="how many; 20")
    parser.add_argument("--verbose", action="store_true", help="show each step's attributes")
    parser.add_argument("--json", action="store_true", help="print the router's own answer")


def run(arguments: argparse.Namespace) -> int:
    """Show one trace, or list the newest."""
    return _list(arguments) if arguments.id is None else _show(arguments)


def _list(arguments: argparse.Namespace) -> int:
    if not 1 <= arguments.limit <= _MOST:
        raise CommandFailed(f"--limit {arguments.limit}: give a number from 1 to {_MOST}", USAGE)
    asked = {"limit": str(arguments.limit)} | {name: getattr(arguments, name) for name in _FILTERS}
    if arguments.errors:
        asked["error"] = "any"
    if not arguments.all:
        asked["lists"] = "no"
    given = urlencode({name: value for name, value in asked.items() if value})
    address = router_address()
    with RouterClient(address) as router:
        kept = router.get(f"{PAGE}?{given}")
    if arguments.json:
        terminal.say(terminal.as_json(kept))
    elif kept.get("traces"):
        terminal.say(trace_text.table(kept["traces"]))
    else:
        terminal.say(trace_text.nothing(kept, asked, address.url))
    return OK


def _show(arguments: argparse.Namespace) -> int:
    with RouterClient(router_address()) as router:
        trace = router.get(f"{PAGE}/{quote(arguments.id, safe='')}")
    if arguments.json:
        terminal.say(terminal.as_json(trace))
        return OK
    terminal.say(trace_text.headline(trace))
    width = shutil.get_terminal_size((_WIDE, 24)).columns if sys.stdout.isatty() else _WIDE
    for line in waterfall.lines(trace, width, verbose=arguments.verbose):
        terminal.say(line)
    if not trace.get("complete"):
        terminal.say(terminal.paint(trace_text.missing(trace), "yellow"))
    return OK
