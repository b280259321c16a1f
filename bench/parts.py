"""The parts of the benchmark, in the order of the page."""

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import cast

from bench.findings import Part
from bench.peers.part import findings as of_peers

PARTS = (
    "ratios",
    "peers",
    "hits",
    "relay",
    "scale",
    "latency",
    "memory",
    "idle_streams",
    "seeing",
    "sick_servers",
    "tokens",
    "replay",
    "work_context",
    "commentable_lines",
    "conversions",
    "start",
    "footprint",
)


def part(name: str, peers: Path) -> Part:
    """Return a part by its name; `peers` is the folder where others' gateways are installed.

    A part is imported when it is asked for: one must not need what another one does.
    """
    if name == "peers":
        return partial(of_peers, folder=peers)
    return cast("Part", import_module(f"bench.{name}").findings)
