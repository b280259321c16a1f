"""What a container may do to its own system, and what can be read of it from outside."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.system.engine import docker
from tests.system.mesh_in_containers import CONTAINERS, STATELESS, MeshInContainers

pytestmark = pytest.mark.timeout(120)

_WRITES = """
for place in / /opt/trunkline /etc/trunkline /run/secrets /usr/local/bin /home /var/tmp; do
  if touch "$place/written" 2>/dev/null; then echo "$place"; fi
done
"""
_ENVIRONMENTS = "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\\\0' '\\\\n'"
_RANDOM = "54321:54322"
_SHORTEST_SECRET = 8


def status_of(mesh: MeshInContainers, service: str) -> dict[str, str]:
    """Return what the kernel says of a container's first process."""
    lines = mesh.told(service, "cat", "/proc/1/status").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


@pytest.mark.requirement("shipping.system-confined")
@pytest.mark.parametrize("service", CONTAINERS)
def test_a_container_has_no_rights_and_gains_none(mesh: MeshInContainers, service: str) -> None:
    """No capability, no root, no way to either."""
    status = status_of(mesh, service)
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0, name
    assert status["NoNewPrivs"] == "1"
    assert "0" not in status["Uid"].split()
    assert "0" not in status["Gid"].split()


@pytest.mark.requirement("shipping.system-confined")
@pytest.mark.parametrize("service", CONTAINERS)
def test_a_container_cannot_write_to_its_system(mesh: MeshInContainers, service: str) -> None:
    """Read-only by the engine, not by good manners: as root it could not, either."""
    assert mesh.told(service, "sh", "-c", _WRITES) == ""
    assert mesh.inspected(service)["HostConfig"]["ReadonlyRootfs"] is True
    mounts = mesh.inspected(service)["Mounts"]
    assert [one["Destination"] for one in mounts if one["RW"]] in ([], ["/data"])


@pytest.mark.requirement("shipping.system-confined")
@pytest.mark.parametrize("service", CONTAINERS)
def test_a_container_has_bounds(mesh: MeshInContainers, service: str) -> None:
    """Of memory, of processors, of processes, of logs."""
    host = mesh.inspected(service)["HostConfig"]
    assert host["Memory"] > 0
    assert host["NanoCpus"] > 0
    assert 0 < host["PidsLimit"] <= 256
    assert {"max-size", "max-file"} <= set(host["LogConfig"]["Config"])


@pytest.fixture(params=STATELESS)
def stranger(request: pytest.FixtureRequest, mesh: MeshInContainers) -> Iterator[tuple[str, str]]:
    """A container of its own, as strict as can be, with a user that no image knows."""
    service = str(request.param)
    image = mesh.inspected(service)["Config"]["Image"]
    words = [
        *("run", "--detach", "--read-only", "--cap-drop", "ALL", "--user", _RANDOM),
        *("--security-opt", "no-new-privileges:true", "--network", "none"),
        *("--env", "TRUNKLINE_MESH_KEY=a-mesh-key-of-no-mesh"),
    ]
    if service == "router":
        words += ["--env", "TRUNKLINE_CONFIG=/etc/trunkline/trunkline.yaml"]
        words += ["--volume", f"{mesh.state / 'configuration'}:/etc/trunkline:ro"]
    container = docker(*words, image)
    yield service, container
    docker("rm", "--force", container)


@pytest.mark.requirement("shipping.system-any-user")
def test_a_server_runs_as_any_user(stranger: tuple[str, str], mesh: MeshInContainers) -> None:
    """Without a place to write, without a network, without a name for its user."""
    service, container = stranger
    mesh.accepting_in(container, service)


def secrets_of(mesh: MeshInContainers) -> dict[str, str]:
    """Return each secret by the name of its file; parts of URLs are told apart."""
    files = [*(mesh.state / "secrets").iterdir(), mesh.state / "api-key"]
    found = {file.name: file.read_text(encoding="utf-8").strip() for file in files}
    passwords = {
        f"{name} (password)": value.partition("://")[2].partition("@")[0].partition(":")[2]
        for name, value in found.items()
        if name.startswith("redis_url")
    }
    found |= passwords
    return {name: value for name, value in found.items() if len(value) >= _SHORTEST_SECRET}


def told_in(text: str, secrets: dict[str, str]) -> list[str]:
    """Return the names of the secrets that a text holds."""
    return [name for name, value in secrets.items() if value in text]


@pytest.mark.requirement("shipping.system-secrets")
@pytest.mark.parametrize("service", CONTAINERS)
def test_no_secret_can_be_read_off_a_container(mesh: MeshInContainers, service: str) -> None:
    """Not by inspecting it or its image, not in its logs, nor in any process's environment."""
    secrets = secrets_of(mesh)
    image = mesh.inspected(service)["Image"]
    read: dict[str, Any] = {
        "docker inspect": json.dumps(mesh.inspected(service)),
        "docker inspect IMAGE": docker("inspect", image),
        "docker history": docker("history", "--no-trunc", image),
        "docker logs": mesh.logs(service),
        "environment": mesh.told(service, "sh", "-c", _ENVIRONMENTS),
    }
    assert len(secrets) > 10
    assert "PATH=" in read["environment"]
    found = {where: told_in(text, secrets) for where, text in read.items()}
    assert not any(found.values()), found


@pytest.mark.requirement("shipping.system-secrets")
def test_the_state_folder_is_its_owner_s_alone(mesh: MeshInContainers) -> None:
    """Others on the machine read neither the secrets nor the key."""
    modes = {
        name: (mesh.state / name).stat().st_mode & 0o777 for name in (".", "secrets", "api-key")
    }
    assert modes == {".": 0o700, "secrets": 0o700, "api-key": 0o600}
    assert Path(mesh.state / "configuration").stat().st_mode & 0o777 == 0o755
