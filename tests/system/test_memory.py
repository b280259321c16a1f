"""What the idle mesh costs."""

import json
import sys

import pytest

from tests.system.engine import docker
from tests.system.mesh_in_containers import CONTAINERS, STATELESS, MeshInContainers

MOST_MIB = 110
_UNITS = {"KiB": 1 / 1024, "MiB": 1, "GiB": 1024, "B": 1 / 1024 / 1024}


def mebibytes(text: str) -> float:
    """Return a size as the engine prints it, such as `87.1MiB / 256MiB`."""
    used = text.partition(" / ")[0]
    unit = next(unit for unit in _UNITS if used.endswith(unit))
    return float(used.removesuffix(unit)) * _UNITS[unit]


@pytest.mark.requirement("shipping.system-memory")
def test_an_idle_container_is_small(
    mesh: MeshInContainers, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mesh's own, and Redis; the stand-ins are nobody's burden."""
    ids = {mesh.container(service): service for service in CONTAINERS}
    lines = docker("stats", "--no-stream", "--no-trunc", "--format", "{{json .}}", *ids)
    told = [json.loads(line) for line in lines.splitlines()]
    sizes = {ids[one["ID"]]: mebibytes(one["MemUsage"]) for one in told}
    with capsys.disabled():
        sys.stdout.write("".join(f"\n  {one:16}{sizes[one]:7.1f} MiB" for one in CONTAINERS) + "\n")
    assert {service: size for service, size in sizes.items() if size > MOST_MIB} == {}
    assert set(STATELESS) < set(sizes)
