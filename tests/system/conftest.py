"""The mesh that all of these tests share, and the engine that each of them needs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.engine import needed
from tests.system.mesh_in_containers import MeshInContainers
from tests.system.starting import begun
from trunkline_cli.environment import variables

KEPT = variables().get("TRUNKLINE_SYSTEM_STATE")
"""For whoever writes these tests: a folder whose mesh is used again, and left running."""


@pytest.fixture(scope="session", autouse=True)
def _engine() -> None:
    needed()


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MeshInContainers]:
    """The demo's mesh, begun from nothing; nothing is left of it."""
    with begun(Path(KEPT) if KEPT else tmp_path_factory.mktemp("mesh"), keep=bool(KEPT)) as mesh:
        yield mesh


@pytest.fixture
def mesh(started: MeshInContainers) -> Iterator[MeshInContainers]:
    """The mesh with everything running, as it is again for the next test."""
    try:
        yield started
    finally:
        started.restore()
