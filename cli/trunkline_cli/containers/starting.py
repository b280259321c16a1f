"""Starting the containers, and finding out which of them failed and what it said."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from trunkline_cli.containers.docker import Answer, Docker, documents
from trunkline_cli.failure import CommandFailed
from trunkline_cli.listening import free_for

LAST_LINES = 15
_TAKEN = re.compile(r"port is already allocated|address already in use", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Where the router's port is published on this machine."""

    host: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What Compose makes of compose.yaml in this environment."""

    images: tuple[str, ...]
    router: Published
    public_url: str


def read_project(docker: Docker, profiles: Iterable[str]) -> Project:
    """Return what would be started. Raises CommandFailed."""
    answer = docker.compose(*profiles, "config", "--format", "json")
    if answer.code != 0:
        raise CommandFailed(f"compose.yaml cannot be used: {answer.complaint.strip()}")
    services: dict[str, Any] = json.loads(answer.out)["services"]
    router = services["router"]
    port = router["ports"][0]
    return Project(
        images=tuple(service["image"] for service in services.values()),
        router=Published(host=port.get("host_ip", ""), port=int(port["published"])),
        public_url=router["environment"]["TRUNKLINE_PUBLIC_URL"],
    )


def check_port(docker: Docker, published: Published) -> None:
    """Raise CommandFailed when another program has the router's port.

    Our own router may have it, and of an engine elsewhere nothing is known here.
    """
    remote = docker.environment.get("DOCKER_HOST", "unix:").partition(":")[0] != "unix"
    ours = docker.compose("port", "router", "8470")
    if remote or ours.out.strip().endswith(f":{published.port}"):
        return
    free_for(published.host, published.port)


def start(docker: Docker, profiles: Iterable[str], *, anew: bool, secrets: Iterable[str]) -> None:
    """Start what is not running and wait until all of it is well. Raises CommandFailed."""
    options = ("--force-recreate",) if anew else ()
    answer = docker.compose(
        *profiles, "up", "--detach", "--wait", "--quiet-pull", "--remove-orphans", *options
    )
    if answer.code != 0:
        text = "\n".join(_reasons(docker, answer))
        for secret in sorted(filter(None, secrets), key=len, reverse=True):
            text = text.replace(secret, "(secret)")
        raise CommandFailed(text)


def restart(docker: Docker, service: str) -> None:
    """Have a container read its files again."""
    docker.compose("restart", service)


def _reasons(docker: Docker, answer: Answer) -> Iterator[str]:
    # The router waits for the others: what it says is the least of it.
    failed = sorted(
        (each for each in _containers(docker) if not each.well),
        key=lambda each: (each.service == "router", each.service),
    )
    if _TAKEN.search(answer.complaint):
        yield (
            f"a port is taken by another program: {answer.last_words}. Choose another one for the "
            "router with TRUNKLINE_PORT, or end that program."
        )
    elif not failed:
        yield f"docker compose could not start the mesh: {answer.last_words}"
    for each in failed:
        yield f"the container of {each.service} {each.state}. The last it said:"
        yield from (f"  {line}" for line in _last_words(docker, each))
    if failed:
        first = failed[0].service
        yield (
            f"All it said: docker compose logs {first}. The others go on running; `make up` tries "
            "again, `make down` ends them."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Container:
    service: str
    id: str
    well: bool
    state: str


def _containers(docker: Docker) -> Iterator[_Container]:
    listed = docker.compose("ps", "--all", "--format", "json")
    for each in documents(listed.out) if listed.code == 0 else ():
        state, health, code = each["State"], each.get("Health", ""), each.get("ExitCode", 0)
        ended = state in {"exited", "dead"}
        yield _Container(
            service=each["Service"],
            id=each["ID"],
            well=code == 0 if ended else state == "running" and health in {"healthy", ""},
            state=f"ended with exit code {code}" if ended else f"is {health or state}",
        )


def _last_words(docker: Docker, container: _Container) -> list[str]:
    said = docker.compose(
        *("logs", "--no-color", "--no-log-prefix", "--tail", str(LAST_LINES)), container.service
    )
    lines = [line.rstrip() for line in said.out.splitlines() if line.strip()]
    return [*lines, *_probed(docker, container)] or ["(nothing)"]


def _probed(docker: Docker, container: _Container) -> list[str]:
    """Return what the last probe of a container found."""
    asked = docker.ask("inspect", "--format", "{{json .State.Health}}", container.id)
    health = json.loads(asked.out) if asked.code == 0 and asked.out.strip() else None
    probes = (health or {}).get("Log") or []
    found = [probe["Output"].strip() for probe in probes if probe["ExitCode"] != 0]
    return [f"its probe: {found[-1]}"] if found and found[-1] else []
