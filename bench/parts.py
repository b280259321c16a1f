"""The parts of the benchmark, in the order of the page."""

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import cast

from bench.findings import Part

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
PLACES = {"peers": "bench.peers.part", "replay": "bench.replay.part"}
"""Where a part is that has a package of its own."""
BESIDE_PEERS = frozenset({"ratios", "peers"})


def part(name: str, peers: Path) -> Part:
    """Return a part by its name; `peers` is the folder where others' gateways are installed.

    A part is imported when it is asked for: one must not need what another one does.
    """
    module = import_module(PLACES.get(name, f"bench.{name}"))
    if name in BESIDE_PEERS:
        return partial(module.findings, folder=peers)
    return cast("Part", module.findings)
