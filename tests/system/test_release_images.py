"""A version's images, made in a clone, with what is in them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from release.containers import containers
from tests.interaction.releasing import PARTS, clone_at, release
from tests.system.engine import docker
from trunkline_shared.testing.git_repository import GitRepository

pytestmark = pytest.mark.timeout(600)

BUILT_FROM = (
    ".dockerignore",
    "LICENSE",
    *(f"{name}/**/*" for name in ("cli", "services", "shared")),
)
VERSION = "7.0.0"
IMAGES = {each.name: each.image(VERSION) for each in containers()}


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[GitRepository]:
    """All that images are made of; no image of its version is left."""
    yield clone_at(tmp_path, [*PARTS, *BUILT_FROM])
    for image in IMAGES.values():
        if docker("images", "--quiet", image):
            docker("rmi", image)


@pytest.mark.requirement("shipping.release-sbom")
def test_a_version_has_its_images_and_says_what_is_in_them(clone: GitRepository) -> None:
    """Labelled with the version and the commit that the tag marks; nothing is pushed."""
    done = release(clone, VERSION, patience_s=540)
    assert done.returncode == 0, done.stderr
    revision = clone.git("rev-parse", f"v{VERSION}^{{}}")
    for name, image in IMAGES.items():
        labels = json.loads(docker("inspect", "--format", "{{json .Config.Labels}}", image))
        assert labels["org.opencontainers.image.version"] == VERSION
        assert revision.startswith(labels["org.opencontainers.image.revision"])
        listed = json.loads((clone.path / "dist" / f"{name}-{VERSION}.cdx.json").read_text("utf-8"))
        assert listed["metadata"]["component"]["name"] == f"trunkline/{name}"
        assert f"docker push $REGISTRY/{image}" in done.stdout
