"""The end of the mesh: it is the last thing that these tests do to it."""

import pytest

from tests.system.engine import docker
from tests.system.mesh_in_containers import MeshInContainers
from tests.system.starting import environment, trunkline

pytestmark = pytest.mark.timeout(120)


def left(mesh: MeshInContainers, *words: str) -> list[str]:
    """Return what the engine still has of a mesh."""
    label = f"label=com.docker.compose.project={mesh.project}"
    return docker(*words, "--quiet", "--filter", label).split()


@pytest.mark.requirement("shipping.system-down")
def test_ending_leaves_nothing_but_what_redis_keeps(started: MeshInContainers) -> None:
    """No container, no network; and the volume only as long as nobody asks for its end."""
    env = environment(started.state.parent)
    trunkline("down", "--demo", env=env)
    assert left(started, "ps", "--all") == []
    assert left(started, "network", "ls") == []
    assert left(started, "volume", "ls") != []
    trunkline("down", "--demo", "--volumes", env=env)
    assert left(started, "volume", "ls") == []
    assert (started.state / "api-key").exists()
