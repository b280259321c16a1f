"""`trunkline cache`: what the cache does; a tag's invalidation; what is changed, as it happens."""

import argparse
import sys
import time

from trunkline_cli import cache_text, terminal
from trunkline_cli.environment import router_address
from trunkline_cli.failure import FAILED, OK, CommandFailed
from trunkline_cli.router_answers import Json
from trunkline_cli.router_client import RouterClient

PAGE = "/api/cache"
_CAUSES = {
    "before_write": "write begins",
    "write": "write",
    "event": "webhook",
    "operator": "operator",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be done about the cache; without anything, it is shown."""
    parser.add_argument("--json", action="store_true", help="print the router's own answer")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    invalidate = actions.add_parser(
        "invalidate", help="have nothing answered any more from what is kept under a tag"
    )
    invalidate.add_argument(
        "tags", nargs="+", metavar="TAG", help="such as gh:acme/widgets#12; all beneath it as well"
    )
    watch = actions.add_parser("watch", help="show each tag that is changed, until Ctrl-C")
    for action in (invalidate, watch):
        action.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON"
        )


def run(arguments: argparse.Namespace) -> int:
    """Show the cache, or do what is asked with it."""
    if arguments.action == "invalidate":
        return _invalidate(arguments)
    if arguments.action == "watch":
        return _watch(arguments)
    return _show(arguments)


def _show(arguments: argparse.Namespace) -> int:
    address = router_address()
    with RouterClient(address) as router:
        cache = router.get(PAGE)
    if arguments.json:
        terminal.say(terminal.as_json(cache))
        return OK
    line = f"cache of {address.url}: {cache_text.standing(cache)}"
    terminal.say(line if cache.get("on") else terminal.paint(line, "yellow"))
    terminal.say(cache_text.worth(cache))
    if cache_text.reads(cache):
        terminal.say(cache_text.table(cache))
    terminal.say(cache_text.kept(cache))
    return OK


def _invalidate(arguments: argparse.Namespace) -> int:
    bumped: list[str] = []
    with RouterClient(router_address()) as router:
        for tag in arguments.tags:
            answer = router.post(PAGE, {"invalidate": tag})
            bumped += answer.get("bumped", [])
            if not arguments.json:
                terminal.say(f"invalidated {', '.join(answer.get('bumped', []))}")
            if "note" in answer:
                _tell(terminal.paint(str(answer["note"]), "yellow", sys.stderr))
    if arguments.json:
        terminal.say(terminal.as_json({"bumped": bumped}))
    return OK


def _watch(arguments: argparse.Namespace) -> int:
    address = router_address()
    try:
        with RouterClient(address) as router:
            events = router.events(f"{PAGE}/events")
            _tell(f"Watching what is changed, on {address.url}; Ctrl-C ends it.")
            for kind, event in events:
                _print(kind, event, as_json=arguments.json)
    except KeyboardInterrupt:
        return OK
    raise CommandFailed(
        f"the router on {address.url} has ended the stream, as it does when it restarts; "
        "watch again once it is back",
        FAILED,
    )


def _print(kind: str, event: Json, *, as_json: bool) -> None:
    if kind == "refused":
        raise CommandFailed(f"the router watches no longer: {event.get('error')}")
    if as_json:
        terminal.say(terminal.as_json({"event": kind, **event}))
    elif kind == "gap":
        terminal.say(terminal.paint("some changes may not be shown here", "yellow"))
    elif kind == "bump":
        terminal.say(_line(event))


def _line(event: Json) -> str:
    at = time.strftime("%H:%M:%S", time.localtime(float(event.get("at", 0))))
    cause = str(event.get("cause", ""))
    where = "" if event.get("router") == "here" else "  (another router)"
    tags = "  ".join(cache_text.visible(tag) for tag in event.get("tags", []))
    return f"{at}  {_CAUSES.get(cause, cause):<10}  {tags}{where}"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
