"""The checkout that branch-context serves from its container, which sees nothing outside of it."""

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
        return ""
    fix = "set TRUNKLINE_REPO_PATH to a checkout and run `make up` again"
    if not git.is_file():
        return f"twig: {checkout} is no git checkout; {fix}"
    return (
        f"twig: {checkout} is a linked worktree or a submodule, whose git directory is elsewhere: "
        f"the container cannot see it. To serve the main one instead, {fix}"
    )
