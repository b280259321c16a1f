"""Building the images: what all have in common first, then several at a time."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from release import engine
from release.containers import ROOT, Container
from release.context import still

BASE = "python:3.13-slim"
_AT_ONCE = 3
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What is built: `platforms` as `linux/amd64,linux/arm64`, or nothing for this machine's own.

    Images for other platforms no engine keeps: they are written to `dist/` as OCI archives.
    """

    version: str
    revision: str
    tags: tuple[str, ...] = ("latest",)
    platforms: str = ""
    root: Path = ROOT

    def command(self, container: Container, target: str) -> tuple[str, ...]:
        """Return the build's command line, without what becomes of it."""
        program = ("docker", "buildx", "build") if self.platforms else ("docker", "build")
        arguments = {
            "SERVICE": container.name,
            "VERSION": self.version,
            "REVISION": self.revision,
        }
        return (
            *program,
            *("--file", "services/Dockerfile", "--target", target),
            *(f"--build-arg={name}={value}" for name, value in arguments.items()),
            *((f"--platform={self.platforms}",) if self.platforms else ()),
        )

    def result(self, container: Container) -> tuple[str, ...]:
        """Return the options that say what becomes of the build."""
        tags = tuple(f"--tag={container.image(tag)}" for tag in self.tags)
        if not self.platforms:
            return tags
        archive = self.root / "dist" / f"{container.name}-{self.version}.tar"
        return *tags, f"--output=type=oci,dest={archive}"


def build(wanted: Build, containers: Sequence[Container]) -> None:
    """Build these, and say how long each took. Raises Refused."""
    engine.ready()
    began = time.monotonic()
    if wanted.platforms:
        (wanted.root / "dist").mkdir(exist_ok=True)
    _say(f"building {len(containers)} image(s) of {wanted.version} at {wanted.revision}")
    with still(wanted.root) as context:
        for line in _built(wanted, containers, context):
            _say(line)
    _say(f"built in {time.monotonic() - began:.0f} s")


def _built(wanted: Build, containers: Sequence[Container], context: Path) -> Iterator[str]:
    began = time.monotonic()
    engine.quietly((*wanted.command(containers[0], "base"), "."), context)
    yield f"{time.monotonic() - began:6.1f} s  what they have in common"
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        yield from threads.map(lambda each: _one(wanted, each, context), containers)


def _one(wanted: Build, container: Container, context: Path) -> str:
    began = time.monotonic()
    command = (*wanted.command(container, container.target), *wanted.result(container), ".")
    engine.quietly(command, context)
    told = f"{time.monotonic() - began:6.1f} s  trunkline/{container.name}"
    if wanted.platforms:
        return told
    over = engine.size(container.image(wanted.tags[0])) - engine.size(BASE)
    return f"{told}: {over / _MEGABYTE:.0f} MB over {BASE}"


def _say(line: str) -> None:
    print(f"trunkline: {line}", flush=True)
