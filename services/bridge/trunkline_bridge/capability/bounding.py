"""A catalog cut to what a model can use: each server its share, and counts of the rest."""

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from trunkline_bridge.capability.catalog import Catalog, ServerEntry

BUDGET: Final = 48_000
"""Bytes of JSON."""
MOST_SERVERS: Final = 60
KINDS: Final = ("tools", "resources", "templates", "prompts")
_NOTE: Final = "Not all is listed: narrow it with server or query, or leave schemas out."


def bounded(servers: Sequence[ServerEntry], budget: int = BUDGET) -> Catalog:
    """Return the catalog; what one server does not need of its share is there for the others."""
    listed = servers[:MOST_SERVERS]
    room = shares([_size(one) for one in listed], budget)
    cut = [_cut(one, share) for one, share in zip(listed, room, strict=True)]
    left_out = len(servers) - len(listed)
    is_whole = not left_out and not any(one.left_out for one in cut)
    return Catalog(servers=cut, left_out=left_out, note=None if is_whole else _NOTE)


def shares(sizes: Sequence[int], total: int) -> list[int]:
    """Return how much of `total` each of these gets: the small what they need, the rest alike."""
    given = [0] * len(sizes)
    left = total
    smallest_first = sorted(range(len(sizes)), key=lambda at: (sizes[at], at))
    for done, at in enumerate(smallest_first):
        given[at] = min(sizes[at], left // (len(sizes) - done))
        left -= given[at]
    return given


def _cut(server: ServerEntry, share: int) -> ServerEntry:
    if _size(server) <= share:
        return server
    bare = server.model_copy(update=dict.fromkeys(KINDS, ()))
    left = share - _size(bare)
    kept: dict[str, tuple[BaseModel, ...]] = dict.fromkeys(KINDS, ())
    left_out: dict[str, int] = {}
    for kind in KINDS:
        for entry in getattr(server, kind):
            size = _size(entry) + 1
            if size <= left:
                kept[kind] += (entry,)
                left -= size
            else:
                left_out[kind] = left_out.get(kind, 0) + 1
    return bare.model_copy(update={**kept, "left_out": left_out})


def _size(value: BaseModel) -> int:
    return len(value.model_dump_json(exclude_defaults=True).encode())
