"""What is installed in an image, as the image itself tells it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from release import engine

_TOLD = """
import importlib.metadata, json, platform, subprocess
form = "${Package}\\t${Version}\\t${Architecture}\\n"
listed = subprocess.run(["dpkg-query", "--show", "--showformat=" + form], capture_output=True)
print(json.dumps({
    "interpreter": platform.python_version(),
    "distribution": platform.freedesktop_os_release().get("VERSION_CODENAME", ""),
    "python": {each.name: each.version for each in importlib.metadata.distributions()},
    "debian": [line.split("\\t") for line in listed.stdout.decode().splitlines()],
}))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DebianPackage:
    """One package of the distribution."""

    name: str
    version: str
    architecture: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """`python` has versions by the names that packages give themselves."""

    interpreter: str
    distribution: str
    python: Mapping[str, str]
    debian: tuple[DebianPackage, ...]


def contents(image: str) -> Contents:
    """Ask an image, which this starts without a network. Raises Refused."""
    look = ("docker", "run", "--rm", "--network=none", "--entrypoint=python", image)
    told = json.loads(engine.quietly((*look, "-c", _TOLD), Path.cwd()))
    return Contents(
        interpreter=told["interpreter"],
        distribution=told["distribution"],
        python=told["python"],
        debian=tuple(
            DebianPackage(name=name, version=version, architecture=architecture)
            for name, version, architecture in told["debian"]
        ),
    )
