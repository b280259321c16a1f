"""`trunkline status`: the servers of the running router."""

import argparse
from typing import Any

from trunkline_cli import terminal
from trunkline_cli.environment import router_address
from trunkline_cli.failure import FAILED, OK
from trunkline_cli.router_client import RouterClient

HEAD = ("SERVER", "STATE", "TOOLS", "BREAKER", "P50 ms", "P99 ms", "IN FLIGHT")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare an output format."""
    parser.add_argument("--json", action="store_true", help="print the router's own answer")


def run(arguments: argparse.Namespace) -> int:
    """Print one line per server; fails when one of them is unavailable."""
    address = router_address()
    with RouterClient(address) as router:
        status = router.get("/status")
    servers: dict[str, dict[str, Any]] = status.get("servers", {})
    if arguments.json:
        print(terminal.as_json(status))
    else:
        print(f"trunkline {status.get('version', '')} on {address.url}")
        print(terminal.table(HEAD, [_row(name, server) for name, server in servers.items()]))
    return OK if all(server.get("available") for server in servers.values()) else FAILED


def _row(name: str, server: dict[str, Any]) -> tuple[str, ...]:
    latency = server.get("latency_ms") or {}
    available = bool(server.get("available"))
    return (
        name,
        "available" if available else "unavailable",
        _shown(server.get("tools")),
        _shown((server.get("breaker") or {}).get("state")),
        _shown(latency.get("p50")),
        _shown(latency.get("p99")),
        _shown(server.get("in_flight")),
    )


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.1f}" if isinstance(value, float) else str(value)
