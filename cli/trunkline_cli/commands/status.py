"""`trunkline status`: the servers of the running router, and what to do about those not well."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from trunkline_cli import terminal
from trunkline_cli.cache_text import cache_lines
from trunkline_cli.environment import router_address
from trunkline_cli.failure import FAILED, OK
from trunkline_cli.router_client import RouterClient

HEAD = ("SERVER", "STATE", "TOOLS", "BREAKER", "P50 ms", "P99 ms", "IN FLIGHT", "QUEUED")
Entry = Mapping[str, Any]
_NEARLY_ALL, _FEW = 10, 100
"""When a router spares a quota: with a tenth of it left, or a hundred where none knows its size."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare an output format."""
    parser.add_argument("--json", action="store_true", help="print the router's own answer")


def run(arguments: argparse.Namespace) -> int:
    """Print one line per server; fails when one of them is unavailable."""
    address = router_address()
    with RouterClient(address) as router:
        status = router.get("/status")
    servers: Mapping[str, Entry] = status.get("servers", {})
    if arguments.json:
        print(terminal.as_json(status))
    else:
        print(f"trunkline {status.get('version', '')} on {address.url} (dashboard: {address.url}/)")
        print(table(servers))
        for line in (*cache_lines(status.get("cache") or {}), *advice(status)):
            print(line)
    return OK if all(server.get("available") for server in servers.values()) else FAILED


def table(servers: Mapping[str, Entry]) -> str:
    """Return a line for each server; those that are not well stand out on a terminal."""
    rows = [_row(name, server) for name, server in servers.items()]
    head, *lines = terminal.table(HEAD, rows).split("\n")
    painted = [
        line if _is_well(server) else terminal.paint(line, _colour(server))
        for line, server in zip(lines, servers.values(), strict=True)
    ]
    return "\n".join([head, *painted])


def advice(status: Entry) -> Iterator[str]:
    """Say of each thing that is wrong what it means, and what to do."""
    for name, server in status.get("servers", {}).items():
        for line in _about(name, server):
            yield f"{terminal.paint(name, 'bold')}: {line}"
    for quota in status.get("quota", []):
        line = _of_quota(quota)
        if line:
            yield f"{terminal.paint('quota', 'bold')}: {line}"


def _of_quota(quota: Entry) -> str:
    """Say it of a quota when it is exhausted, or nearly so; nothing of one that is not."""
    resource, resets = quota.get("resource"), _seconds(quota.get("resets_in_s"))
    remaining, limit = quota.get("remaining"), quota.get("limit")
    if not remaining:
        tools = ", ".join(quota.get("tools", []))
        return (
            f"{resource} is exhausted for {resets} more; until then {tools} answer RATE_LIMITED, "
            "but for what is kept."
        )
    if remaining * _NEARLY_ALL > (limit or _FEW * _NEARLY_ALL):
        return ""
    of = f" of {limit:,}" if limit else ""
    return (
        f"{remaining:,}{of} requests of {resource} are left for {resets}; until then older answers "
        "do, marked stale."
    )


def _about(name: str, server: Entry) -> Iterator[str]:
    breaker = server.get("breaker") or {}
    state = breaker.get("state")
    if state == "open":
        yield (
            f"{breaker.get('consecutiveFailures')} failures in a row{_last(server)}: calls are "
            f"refused for {_seconds(breaker.get('resets_in_s'))} more. Look at its log; "
            "`trunkline doctor` checks its credentials and its reach."
        )
    elif state == "half-open":
        yield "one call is finding out whether it is well again."
    elif not server.get("available"):
        yield (
            f"it cannot be listed{_last(server)}. Is it running? `trunkline doctor` tells what is "
            "wrong with it."
        )
    if server.get("queued"):
        yield (
            f"{server['queued']} calls wait for a slot. Raise servers.{name}.concurrency in "
            "trunkline.yaml if the server can take more at once."
        )
    out = [str(one.get("url")) for one in server.get("replicas", []) if not one.get("available")]
    if out:
        yield f"left out for the moment, since they do not answer: {', '.join(out)}."


def _last(server: Entry) -> str:
    error = server.get("last_error")
    return f" ({error})" if error else ""


def _seconds(value: object) -> str:
    return f"{value:.0f} s" if isinstance(value, int | float) else "a while"


def _is_well(server: Entry) -> bool:
    return bool(server.get("available")) and not server.get("queued")


def _colour(server: Entry) -> terminal.Colour:
    return "yellow" if server.get("available") else "red"


def _row(name: str, server: Entry) -> tuple[str, ...]:
    latency = server.get("latency_ms") or {}
    return (
        name,
        "available" if server.get("available") else "unavailable",
        _shown(server.get("tools")),
        _shown((server.get("breaker") or {}).get("state")),
        _shown(latency.get("p50")),
        _shown(latency.get("p99")),
        _shown(server.get("in_flight")),
        _shown(server.get("queued")),
    )


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.1f}" if isinstance(value, float) else str(value)
