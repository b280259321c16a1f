"""A mesh from nothing, by the command that users have, and its end."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.system.engine import ROOT
from tests.system.mesh_in_containers import MeshInContainers
from trunkline_cli.containers.plan import compose_environment, plan
from trunkline_cli.environment import variables
from trunkline_shared.probe import status_of
from trunkline_shared.testing.git_repository import GitRepository
from trunkline_shared.testing.loopback import free_socket

_KEPT = ("PATH", "HOME", "LANG", "DOCKER_HOST", "DOCKER_CONTEXT")
UP_S = 240


def _free_port() -> int:
    with free_socket() as listening:
        return int(listening.getsockname()[1])


def _port(folder: Path) -> int:
    """Return the port of a folder's mesh, which stays the same."""
    file = folder / "port"
    if not file.exists():
        file.write_text(str(_free_port()), encoding="utf-8")
    return int(file.read_text(encoding="utf-8"))


def environment(folder: Path) -> Mapping[str, str]:
    """Return what `trunkline up` is told: a project, a port and a folder of this mesh's own."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in variables().items() if name in _KEPT}
    checkout = folder / "checkout"
    if not checkout.exists():
        GitRepository.at(checkout)
    port = _port(folder)
    return kept | {
        "COMPOSE_PROJECT_NAME": f"trunkline-system-{port}",
        "TRUNKLINE_PORT": str(port),
        "TRUNKLINE_STATE": str(folder / "state"),
        "TRUNKLINE_REPO_PATH": str(checkout / "repo"),
        "TRUNKLINE_TOOLSETS": "all",
        "TRUNKLINE_ENABLE_WRITES": "all",
    }


def trunkline(*words: str, env: Mapping[str, str]) -> str:
    """Return what a command prints on standard output."""
    done = subprocess.run(
        [sys.executable, "-m", "trunkline_cli", *words],
        cwd=ROOT,
        env=dict(env),
        check=False,
        capture_output=True,
        text=True,
        timeout=UP_S,
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def _is_ready(url: str) -> bool:
    try:
        return " 200 " in status_of(f"{url}/readyz")
    except OSError:
        return False


@contextmanager
def begun(folder: Path, *, keep: bool = False) -> Iterator[MeshInContainers]:
    """Run the demo's mesh for the block; `folder` is for all that it needs on disk."""
    told = environment(folder)
    mesh = MeshInContainers(
        project=told["COMPOSE_PROJECT_NAME"],
        port=int(told["TRUNKLINE_PORT"]),
        state=Path(told["TRUNKLINE_STATE"]),
        environment=compose_environment(plan(told, demo=True, observability=False), {}),
    )
    try:
        if not (keep and _is_ready(mesh.url)):
            trunkline("up", "--demo", "--json", env=told)
        yield mesh
    finally:
        if not keep:
            trunkline("down", "--demo", "--volumes", env=told)
