"""How the containers of a project are, as the engine tells."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trunkline_cli.containers.docker import Docker
from trunkline_cli.failure import CommandFailed

LAST_LINES = 15
_SERVICE = "com.docker.compose.service"


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """One container; `probed` is what its last probe complained of."""

    id: str
    service: str
    status: str
    health: str
    exit_code: int
    restarts: int
    probed: str

    @property
    def ended(self) -> bool:
        return self.status in {"exited", "dead"}

    @property
    def well(self) -> bool:
        """Whether it runs and is healthy, or has done what it was for."""
        if self.ended:
            return self.exit_code == 0
        return self.status == "running" and self.health in {"", "healthy"}

    @property
    def told(self) -> str:
        """Its condition in words."""
        if self.ended:
            return f"ended with exit code {self.exit_code}"
        if self.restarts:
            return f"ended again and again, the last time with exit code {self.exit_code}"
        return f"is {self.health or self.status}"


def containers_of(docker: Docker) -> list[Container]:
    """Return all containers of the project. Raises CommandFailed when the engine does not tell."""
    listed = docker.compose("ps", "--all", "--quiet")
    if listed.code != 0:
        raise CommandFailed(f"the engine no longer tells of its containers: {listed.last_words}")
    ids = listed.out.split()
    asked = docker.ask("inspect", *ids) if ids else None
    found = json.loads(asked.out or "[]") if asked is not None else []
    return [_container(each) for each in found]


def last_words(docker: Docker, container: Container) -> Iterator[str]:
    """Yield the last lines that a container has said, and what its probe found."""
    said = docker.ask("logs", "--tail", str(LAST_LINES), container.id)
    lines = [line.rstrip() for line in f"{said.out}\n{said.complaint}".splitlines()]
    words = [line for line in lines if line]
    if container.probed:
        words.append(f"its probe: {container.probed}")
    yield from words or ["(nothing)"]


def _container(told: Mapping[str, Any]) -> Container:
    state = told["State"]
    health = state.get("Health") or {}
    probes = [probe for probe in health.get("Log") or [] if probe["ExitCode"] != 0]
    return Container(
        id=told["Id"],
        service=told["Config"]["Labels"][_SERVICE],
        status=state["Status"],
        health=health.get("Status", ""),
        exit_code=state["ExitCode"],
        restarts=told["RestartCount"],
        probed=probes[-1]["Output"].strip() if probes else "",
    )
