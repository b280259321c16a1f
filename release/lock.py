"""uv.lock: which version it says the members have."""

import re
from collections.abc import Mapping
from pathlib import Path

_MEMBER = re.compile(
    r'^(name = "(trunkline[a-z-]*)"\nversion = )"([^"]*)"(?=\nsource = \{ (?:editable|virtual))',
    re.MULTILINE,
)


def stated(root: Path) -> Mapping[str, str]:
    """Return the version of each member."""
    text = (root / "uv.lock").read_text("utf-8")
    return {each.group(2): each.group(3) for each in _MEMBER.finditer(text)}


def state(version: str, root: Path) -> None:
    """Write a version for all members: `uv lock` would do the same, and ask a registry first."""
    file = root / "uv.lock"
    file.write_text(_MEMBER.sub(rf'\g<1>"{version}"', file.read_text("utf-8")), "utf-8")
