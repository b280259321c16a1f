"""How a command ends: its exit codes, and the failure that carries one."""

import difflib
from collections.abc import Iterable

OK = 0
FAILED = 1
USAGE = 2
UNREACHABLE = 4
MISCONFIGURED = 78
"""How the host process says that it will never start so (EX_CONFIG of sysexits.h)."""


class CommandFailed(Exception):
    """A command cannot go on; the text names the thing, the value and the fix."""

    def __init__(self, message: str, exit_code: int = FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code


def unknown(kind: str, name: str, known: Iterable[str]) -> CommandFailed:
    """Return the failure for a name that is none of `known`, with the nearest one."""
    candidates = sorted(known)
    nearest = difflib.get_close_matches(name, candidates, n=1)
    advice = (
        f"Did you mean {nearest[0]!r}?" if nearest else f"Known: {', '.join(candidates) or 'none'}."
    )
    return CommandFailed(f"unknown {kind} {name!r}. {advice}", USAGE)
