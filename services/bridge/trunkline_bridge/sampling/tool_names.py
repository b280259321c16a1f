"""What a model calls a tool: `mcp__server__tool`, within what clients and their models accept."""

import hashlib
import re
from typing import Final

LONGEST: Final = 64
_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_DIGEST = 8


def name_for_model(server: str, tool: str) -> str:
    """Return the name of a tool: 64 characters of `[A-Za-z0-9_-]` at most.

    A name that had to be changed ends with a digest, so that no two tools share it.
    """
    whole = f"mcp__{server}__{tool}"
    plain = _OTHER.sub("_", whole)
    if plain == whole and len(whole) <= LONGEST:
        return whole
    digest = hashlib.sha256(whole.encode(errors="replace")).hexdigest()[:_DIGEST]
    return f"{plain[: LONGEST - _DIGEST - 1]}_{digest}"
