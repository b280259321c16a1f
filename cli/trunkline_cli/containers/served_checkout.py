"""The checkout that branch-context serves from its container, which sees nothing outside of it."""

import stat
import sys
from pathlib import Path

_GIT = ".git"


def checkout_around(path: Path) -> Path:
    """Return the working tree that a path lies in, as its container needs the whole of it."""
    absolute = path.expanduser().absolute()
    return next(
        (each for each in (absolute, *absolute.parents) if (each / _GIT).exists()), absolute
    )


def complaint_about(checkout: Path) -> str:
    """Say why branch-context cannot serve a checkout; nothing if it can."""
    git = checkout / _GIT
    if git.is_dir():
        return _closed(checkout)
    fix = "set TRUNKLINE_REPO_PATH to a checkout and run `make up` again"
    if not git.is_file():
        return f"twig: {checkout} is no git checkout; {fix}"
    return (
        f"twig: {checkout} is a linked worktree or a submodule, whose git directory is elsewhere: "
        f"the container cannot see it. To serve the main one instead, {fix}"
    )


def _closed(checkout: Path) -> str:
    """Say that the container's user may not read a checkout; elsewhere the engine maps users."""
    head = checkout / _GIT / "HEAD"
    wanted = ((checkout, stat.S_IXOTH), (head.parent, stat.S_IXOTH), (head, stat.S_IROTH))
    if sys.platform != "linux" or not head.exists():
        return ""
    if all(path.stat().st_mode & bit for path, bit in wanted):
        return ""
    return (
        f"twig: {checkout} may be read by its owner alone, and the container has a user of its "
        f"own: chmod -R o+rX {checkout}"
    )
