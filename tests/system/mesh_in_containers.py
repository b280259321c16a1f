"""The Compose mesh of the demo in real containers, and what a test does to it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.system.engine import ROOT, docker

SERVERS: Mapping[str, str] = {
    "github_comment": "comment",
    "github_inline_comment": "inline-review",
    "github_ci": "ci-status",
    "github": "issues",
    "basecamp": "project-reader",
    "jira": "jira",
    "twig": "branch-context",
    "bridge": "bridge",
}
"""Each server's container."""
START_S = 40
CONTAINERS = ("router", *SERVERS.values(), "redis", "demo")
STATELESS = ("router", *SERVERS.values())

_UNTIL_ANSWERED = """
import sys, threading, time
from trunkline_shared.probe import status_of
ends = time.monotonic() + float(sys.argv[2])
while True:
    try:
        said = status_of(sys.argv[1])
    except OSError as error:
        said = str(error)
    if said.split()[1:2] == ["200"]:
        break
    if time.monotonic() > ends:
        sys.exit(said)
    threading.Event().wait(0.02)
"""


@dataclass(frozen=True, kw_only=True)
class MeshInContainers:
    """A running Compose project; `files` are the Compose files that it is made of."""

    project: str
    port: int
    state: Path
    environment: Mapping[str, str]
    files: Sequence[Path] = (ROOT / "compose.yaml",)
    profile: str = "demo"
    _ids: dict[str, str] = field(default_factory=dict)
    _hurt: set[str] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def key(self) -> str:
        """The API key that starting made."""
        return (self.state / "api-key").read_text(encoding="utf-8").strip()

    def compose(self, *words: str, patience_s: float = 300) -> str:
        """Return what `docker compose WORDS` prints."""
        files = [word for file in self.files for word in ("--file", str(file))]
        head = ("compose", "--project-name", self.project, *files, "--profile", self.profile)
        return docker(*head, *words, env=self.environment, patience_s=patience_s)

    def container(self, service: str) -> str:
        """Return the id of a service's container, which a new one in its place has not."""
        if service not in self._ids:
            label = f"label=com.docker.compose.project={self.project}"
            named = f"label=com.docker.compose.service={service}"
            self._ids[service] = docker(
                "ps", "--all", "--quiet", "--no-trunc", "--filter", label, "--filter", named
            )
        return self._ids[service]

    def recreate(self, *services: str) -> None:
        """Put new containers in the place of these, as an update does."""
        for service in services:
            self._ids.pop(service, None)
        words = ("up", "--detach", "--no-deps", "--no-build", "--force-recreate")
        self.compose(*words, *services)

    def inspected(self, service: str) -> Any:
        """Return all that the engine says of a container."""
        return json.loads(docker("inspect", self.container(service)))[0]

    def kill(self, service: str) -> None:
        """End it as a power cut would; it stays down until it is started."""
        self._hurt.add(service)
        docker("kill", self.container(service))

    def pause(self, service: str) -> None:
        """Let it answer nobody, with its connections open."""
        self._hurt.add(service)
        docker("pause", self.container(service))

    def unpause(self, service: str) -> None:
        """Let it go on where it was."""
        docker("unpause", self.container(service))

    def forget_redis(self) -> None:
        """Kill Redis, and delete all that it has kept on disk."""
        self.kill("redis")
        volume = f"{self.project}_redis:/data"
        words = ("run", "--rm", "--volume", volume, "--user", "10001", "--entrypoint", "sh")
        docker(*words, "redis:8-alpine", "-c", "rm -rf /data/*")

    def start(self, service: str) -> None:
        """Start it where it is down, and return when it accepts connections."""
        docker("start", self.container(service))
        self.accepting(service)

    def accepting(self, service: str) -> None:
        """Return when a container's server answers."""
        if service == "redis":
            loop = 'until [ "$(redis-cli --raw ping)" = PONG ]; do sleep 0.05; done'
            self.told("redis", "timeout", str(START_S), "sh", "-c", loop)
        else:
            self.accepting_in(self.container(service), service)

    @staticmethod
    def accepting_in(container: str, service: str) -> None:
        """Return when a server answers in a container, which need not be the mesh's."""
        port = 8470 if service == "router" else 8480
        url = f"http://127.0.0.1:{port}/healthz"
        docker("exec", container, "python", "-c", _UNTIL_ANSWERED, url, str(START_S))

    @staticmethod
    def as_json(value: object) -> str:
        """Return what a script in a container reads as its argument."""
        return json.dumps(value)

    def told(self, service: str, *words: str) -> str:
        """Return what a command prints in a container."""
        return docker("exec", self.container(service), *words)

    def python(self, service: str, script: str, *arguments: str) -> Any:
        """Return what a script prints, as JSON, from within a container's networks."""
        if service == "redis":
            # It has no Python, and somebody else's in its place sees what it sees.
            beside = ("--network", f"container:{self.container(service)}", "--entrypoint", "python")
            words = ("run", "--rm", *beside, "trunkline/comment", "-c", script, *arguments)
            return json.loads(docker(*words))
        return json.loads(self.told(service, "python", "-c", script, *arguments))

    def logs(self, service: str) -> str:
        """Return all that a container has said."""
        return self.compose("logs", "--no-color", "--no-log-prefix", service)

    def restore(self) -> None:
        """Have all that a test has hurt run and answer again."""
        for service in self._hurt:
            status = self.inspected(service)["State"]["Status"]
            if status == "paused":
                self.unpause(service)
            if status not in {"running", "paused"}:
                self.start(service)
        self._hurt.clear()

    def down(self, *words: str) -> None:
        """Take all of it away."""
        self.compose("down", "--timeout", "2", *words)
