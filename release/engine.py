"""The container engine, by its command line."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from release.refusing import Refused

_SHOWN = 40
"""So many last lines of a build say why it failed."""

_NONE = (
    "No container engine answers: install Docker Engine (https://docs.docker.com/engine/install/)"
    " or start it, and make sure that `docker version` shows a server."
)


def ready() -> None:
    """Make sure that an engine answers. Raises Refused."""
    if shutil.which("docker") is None:
        raise Refused(_NONE)
    version = ("docker", "version", "--format", "{{.Server.Version}}")
    asked = subprocess.run(version, capture_output=True, text=True, check=False)
    if asked.returncode:
        raise Refused(f"{_NONE} It says: {asked.stderr.strip()}")


def quietly(command: Sequence[str], cwd: Path) -> str:
    """Return what a command writes; if it fails, show the end of that. Raises Refused."""
    done = subprocess.run(
        command,
        cwd=cwd,
        check=False,
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        sys.stderr.write("\n".join([*done.stdout.splitlines()[-_SHOWN:], ""]))
        raise Refused(f"This failed, for what it says above: {' '.join(command)}")
    return done.stdout


def size(image: str) -> int:
    """Return how many bytes an image that is here unpacks to. Raises Refused."""
    return int(quietly(["docker", "image", "inspect", "--format", "{{.Size}}", image], Path.cwd()))
