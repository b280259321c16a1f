"""The toolsets that a key may name: those of the mesh's own servers, and those of the file."""

import difflib
from collections.abc import Iterable

BUILT_IN = frozenset({
    "activity",
    "branches",
    "checks",
    "comments",
    "default",
    "issues",
    "jira",
    "mesh",
    "people",
    "reactions",
    "reviews",
    "runs",
    "search",
})
"""What the mesh's own tools declare."""
ALL = "all"


def check_toolsets(named: Iterable[str], further: Iterable[str]) -> None:
    """Raise ValueError for a toolset that is neither the mesh's nor one of `further`."""
    known = sorted({*BUILT_IN, *further, ALL})
    for name in named:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1)
            meant = f"did you mean {nearest[0]!r}? " if nearest else ""
            raise ValueError(f"toolset {name!r} is none; {meant}known: {', '.join(known)}")
