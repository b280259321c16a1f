"""The docker command line: run in one environment and one folder, its answers as values."""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trunkline_cli.failure import CommandFailed

OLDEST_COMPOSE = (2, 20)
_INSTALL = "https://docs.docker.com/get-started/get-docker/"
_PLUGIN = "https://docs.docker.com/compose/install/"
_ENGINE = re.compile(r"permission denied", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    complaint: str

    @property
    def last_words(self) -> str:
        """The last line of its complaint."""
        lines = [line.strip() for line in self.complaint.splitlines() if line.strip()]
        return lines[-1] if lines else f"exit code {self.code}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Docker:
    """Runs docker, in the folder of compose.yaml."""

    environment: Mapping[str, str]
    directory: Path

    def ask(self, *words: str) -> Answer:
        """Run `docker WORDS` and return what it wrote. Raises CommandFailed."""
        done = self._run([self._program(), *words], capture=True)
        out, complaint = (each.decode(errors="replace") for each in (done.stdout, done.stderr))
        return Answer(code=done.returncode, out=out, complaint=complaint)

    def show(self, *words: str) -> int:
        """Run `docker WORDS` with its output on ours; returns the exit code."""
        return self.run(self._program(), *words)

    def run(self, *words: str) -> int:
        """Run a program that itself runs docker, with its output on ours."""
        return self._run(words, capture=False).returncode

    def _run(self, words: Sequence[str], *, capture: bool) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(  # noqa: S603 - fixed words, no shell
            words,
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=capture,
            check=False,
        )

    def compose(self, *words: str) -> Answer:
        """Run `docker compose WORDS`."""
        return self.ask("compose", *words)

    def _program(self) -> str:
        found = shutil.which("docker", path=self.environment.get("PATH"))
        if found is None:
            raise CommandFailed(
                "docker is not on PATH: the mesh in containers needs a Docker engine with Compose "
                f"{_shown(OLDEST_COMPOSE)} or newer ({_INSTALL}). Without one, `make run` runs the "
                "mesh on this machine."
            )
        return found


def check_engine(docker: Docker) -> None:
    """Raise CommandFailed unless there is an engine that answers, and a Compose that will do."""
    version = docker.compose("version", "--short")
    if version.code != 0:
        raise CommandFailed(
            f"docker has no `compose` ({version.last_words}): install Compose "
            f"{_shown(OLDEST_COMPOSE)} or newer ({_PLUGIN})."
        )
    number = tuple(int(part) for part in re.findall(r"\d+", version.out)[:2])
    if number < OLDEST_COMPOSE:
        raise CommandFailed(
            f"docker compose is {version.out.strip()}, and compose.yaml needs "
            f"{_shown(OLDEST_COMPOSE)} or newer: {_PLUGIN}"
        )
    engine = docker.ask("version", "--format", "{{.Server.Version}}")
    if engine.code != 0:
        raise CommandFailed(_no_engine(docker, engine))


def _no_engine(docker: Docker, engine: Answer) -> str:
    host = docker.environment.get("DOCKER_HOST")
    where = f" at DOCKER_HOST={host}" if host else ""
    if _ENGINE.search(engine.complaint):
        fix = (
            "This account may not use it: add it to the group docker (`sudo usermod -aG docker "
            "$USER`, then log in again), or run the engine rootless."
        )
    else:
        fix = "Start it (Docker Desktop, or `sudo systemctl start docker`), and run this again."
    return f"no Docker engine answers{where} ({engine.last_words}). {fix}"


def _shown(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
