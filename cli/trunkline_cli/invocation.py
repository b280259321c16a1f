"""How the reader of our output calls this command: a line to paste must work as it stands."""

import os
import shlex
import shutil
import sys
from pathlib import Path

NAME = "trunkline"


def invocation(started: str | None = None) -> str:
    """Return `trunkline` when the shell finds this very one, else the path that leads to it.

    `started` is what was started, by default this process's own program.
    """
    program = Path(started or sys.argv[0])
    found = shutil.which(NAME)
    if found is not None and Path(found).resolve() == program.resolve():
        return NAME
    if program.name != NAME:
        return f"{shlex.quote(_shortest(Path(sys.executable)))} -m trunkline_cli"
    return shlex.quote(_shortest(program))


def _shortest(path: Path) -> str:
    """Return a path below the current directory as seen from there; symbolic links stay."""
    absolute = path.absolute()
    here = Path.cwd()
    return os.fspath(absolute.relative_to(here) if absolute.is_relative_to(here) else absolute)
