"""Starting the containers, and waiting until each of them is well."""

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trunkline_cli.containers.bounds import bounds_of
from trunkline_cli.containers.condition import Container, containers_of, last_words
from trunkline_cli.containers.docker import Answer, Docker
from trunkline_cli.failure import CommandFailed
from trunkline_cli.listening import free_for

PATIENCE_S = 240.0
"""How long the slowest machine may take."""
QUIET_S = 20.0
_PAUSE_S = 0.5
_TAKEN = re.compile(r"port is already allocated|address already in use", re.IGNORECASE)
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Where the router's port is published on this machine."""

    host: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What Compose makes of compose.yaml in this environment."""

    images: tuple[str, ...]
    bounds: Mapping[str, str]
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
        bounds=bounds_of(service.get("environment") or {} for service in services.values()),
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


def start(docker: Docker, profiles: Iterable[str], *, anew: bool, say: Say) -> None:
    """Start what is not running and wait until all of it is well. Raises CommandFailed.

    Compose's own waiting takes a machine that is slow for one where a container has failed.
    """
    options = ("--force-recreate",) if anew else ()
    answer = docker.compose(
        *profiles, "up", "--detach", "--quiet-pull", "--remove-orphans", *options
    )
    if answer.code != 0:
        raise CommandFailed("\n".join(_reasons(docker, answer)))
    _wait(docker, say)


def _wait(docker: Docker, say: Say) -> None:
    """Wait for all containers; one that ends, or takes too long, raises CommandFailed."""
    began = time.monotonic()
    restarts = {each.id: each.restarts for each in containers_of(docker)}
    told = False
    while unwell := [each for each in containers_of(docker) if not each.well]:
        waited = time.monotonic() - began
        lost = [each for each in unwell if each.ended or each.restarts > restarts.get(each.id, 0)]
        if lost or waited > PATIENCE_S:
            raise CommandFailed("\n".join(_complaint(docker, lost or unwell)))
        if waited > QUIET_S and not told:
            told = True
            say(f"waiting for {', '.join(sorted(each.service for each in unwell))} ...")
        time.sleep(_PAUSE_S)


def _reasons(docker: Docker, answer: Answer) -> Iterator[str]:
    """Yield why Compose could not start what it was to start."""
    if _TAKEN.search(answer.complaint):
        yield (
            f"a port is taken by another program: {answer.last_words}. Choose another one for the "
            "router with TRUNKLINE_PORT, or end that program."
        )
        return
    yield f"docker compose could not start the mesh: {answer.last_words}"
    # What was made and not started yet waits for what has failed.
    failed = [each for each in containers_of(docker) if not each.well and each.status != "created"]
    if failed:
        yield from _complaint(docker, failed)


def _complaint(docker: Docker, failed: Iterable[Container]) -> Iterator[str]:
    # The router waits for the others: what it says is the least of it.
    named = sorted(failed, key=lambda each: (each.service == "router", each.service))
    for each in named:
        yield f"the container of {each.service} {each.told}. The last it said:"
        yield from (f"  {line}" for line in last_words(docker, each))
    yield (
        f"All it said: docker logs {named[0].id[:12]}. The others go on running; `make up` tries "
        "again, `make down` ends them."
    )


def restart(docker: Docker, service: str) -> None:
    """Have a container read its files again. Raises CommandFailed."""
    answer = docker.compose("restart", service)
    if answer.code != 0:
        raise CommandFailed(f"the container of {service} cannot restart: {answer.last_words}")
