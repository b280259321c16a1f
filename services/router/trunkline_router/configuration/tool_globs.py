"""Globs over the names that rights go by, `mcp__{server}__{tool}`."""

import re
from collections.abc import Iterable

NAMES_BEGIN = "mcp__"
_WILD = re.compile(r"[*?\[]")


def may_begin(glob: str, prefix: str) -> bool:
    """Say whether a glob can match a name that begins with a prefix, by its literal beginning."""
    wild = _WILD.search(glob)
    if wild is None:
        return glob.startswith(prefix)
    literal = glob[: wild.start()]
    return literal.startswith(prefix) or prefix.startswith(literal)


def check_globs(globs: Iterable[str]) -> None:
    """Raise ValueError for a glob that matches no tool: it would deny nothing, and nobody knew."""
    for glob in globs:
        if not may_begin(glob, NAMES_BEGIN):
            raise ValueError(
                f"{glob!r} matches no tool: write mcp__SERVER__TOOL, such as mcp__github_ci__*"
            )
