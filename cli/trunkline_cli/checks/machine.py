"""Python and git as this machine has them."""

import platform
import sys
from collections.abc import Iterator

from trunkline_branch_context.git import Git
from trunkline_cli.checks.finding import Finding
from trunkline_shared.errors import TrunklineError

OLDEST_PYTHON = (3, 11)


def check_python() -> Iterator[Finding]:
    """Say which Python runs this, and whether it is new enough."""
    text = f"Python {platform.python_version()} ({sys.executable})"
    if sys.version_info >= OLDEST_PYTHON:
        yield Finding(about="python", level="ok", text=text)
    else:
        mend = "install Python 3.11 or newer and run make again"
        yield Finding(about="python", level="fail", text=text, mend=mend)


async def check_git(git: Git) -> Finding:
    """Say whether git can be run."""
    try:
        output = await git.run("--version")
    except TrunklineError as error:
        mend = error.hint or "install git and put it on PATH"
        return Finding(about="git", level="fail", text=error.message, mend=mend)
    return Finding(about="git", level="ok", text=output.text.strip())
