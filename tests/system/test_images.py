"""What is in the images, and what is not: asked of the images themselves."""

import json
from functools import cache
from typing import Any

import pytest

from release import versions
from release.checkout import Checkout
from release.containers import DEMO, ROOT, Container, containers
from release.contents import contents
from release.images import BASE, Build, build
from release.sbom import described, locked
from tests.system.engine import docker

pytestmark = pytest.mark.timeout(300)

CONTAINERS = containers()
PLAIN = [each for each in CONTAINERS if each.target != "runtime-git"]
SERVERS = [each for each in CONTAINERS if each.name != DEMO]
MEGABYTE = 1_000_000
TOOLS = ("pip", "pip3", "uv", "gcc", "cc", "make", "strip", "git", "curl", "wget")
SECRETIVE = ("KEY", "SECRET", "TOKEN", "PASSWORD")

LOOK = """
import importlib.util, json, os, pathlib, pkgutil, shutil, sys
packages = pathlib.Path(importlib.util.find_spec("trunkline_shared").origin).parents[1]
sources = [file for file in packages.rglob("*.py")]
print(json.dumps({
    "ids": [os.getuid(), os.getgid()],
    "modules": [each.name for each in pkgutil.iter_modules() if each.name.startswith("trunkline")],
    "stand-ins": importlib.util.find_spec("trunkline_shared.testing") is not None,
    "installer": importlib.util.find_spec("ensurepip") is not None,
    "tools": [name for name in sys.argv[1:] if shutil.which(name)],
    "left": [name for name in ("/src", "/own", "/all", "/before", "/gather.sh", "/opt/uv")
             if pathlib.Path(name).exists()],
    "lists": sorted(file.name for file in pathlib.Path("/var/lib/apt/lists").glob("*")),
    "writable": [str(file) for file in packages.parents[2].rglob("*") if os.access(file, os.W_OK)
                 and not file.is_symlink()],
    "uncompiled": [str(file.relative_to(packages)) for file in sources
                   if not pathlib.Path(importlib.util.cache_from_source(file)).exists()],
}))
"""


def name(container: Container) -> str:
    return container.name


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    """Build what is missing, or all of it from what has changed since."""
    plan = Build(version=versions.current(), revision=Checkout(ROOT).revision())
    build(plan, CONTAINERS)


@cache
def inspected(image: str) -> dict[str, Any]:
    (told,) = json.loads(docker("image", "inspect", image))
    return dict(told)


@cache
def looked(container: Container) -> dict[str, Any]:
    """Return what a container sees of its own image, with no more rights than the mesh gives."""
    confined = ("--rm", "--network=none", "--read-only", "--cap-drop=ALL")
    command = ("-c", LOOK, *TOOLS)
    image = container.image("latest")
    told = docker("run", *confined, "--entrypoint=python", image, *command)
    return dict(json.loads(told))


@pytest.mark.requirement("shipping.images-lean")
@pytest.mark.parametrize("container", CONTAINERS, ids=name)
def test_an_image_adds_little_to_its_base(container: Container) -> None:
    """110 MB, and 220 with git."""
    over = inspected(container.image("latest"))["Size"] - inspected(BASE)["Size"]
    assert over <= (110 if container in PLAIN else 220) * MEGABYTE


@pytest.mark.requirement("shipping.images-lean")
def test_what_images_have_in_common_is_kept_once() -> None:
    """Most of each image is in layers that all of them share: nine take little more than one."""
    layers = [inspected(each.image("latest"))["RootFS"]["Layers"] for each in CONTAINERS]
    own = [set(each) - set(layers[0]) for each in layers[1:]]
    assert all(len(each) <= 2 for each in own)


@pytest.mark.requirement("shipping.images-lean")
@pytest.mark.parametrize("container", CONTAINERS, ids=name)
def test_an_image_has_one_service(container: Container) -> None:
    """And what all share: nobody who breaks into one finds another."""
    own = [] if container.name == DEMO else [f"trunkline_{container.name.replace('-', '_')}"]
    assert looked(container)["modules"] == sorted([*own, "trunkline_shared"])


@pytest.mark.requirement("shipping.images-lean")
@pytest.mark.parametrize("container", CONTAINERS, ids=name)
def test_only_the_demo_has_stand_ins(container: Container) -> None:
    """A server that could be told to ask one would believe what it says."""
    assert looked(container)["stand-ins"] is (container.name == DEMO)


@pytest.mark.requirement("shipping.images-lean")
@pytest.mark.parametrize("container", CONTAINERS, ids=name)
def test_nothing_that_builds_is_left(container: Container) -> None:
    """No installer, no compiler, no lists, no sources; git where a checkout is read."""
    saw = looked(container)
    assert saw["tools"] == ([] if container in PLAIN else ["git"])
    assert not saw["installer"]
    assert saw["left"] == []
    assert saw["lists"] == []


@pytest.mark.requirement("shipping.images-lean")
@pytest.mark.parametrize("container", CONTAINERS, ids=name)
def test_all_code_is_compiled(container: Container) -> None:
    """Nobody can keep bytecode at run time: each start would compile everything again."""
    assert looked(container)["uncompiled"] == []


@pytest.mark.requirement("shipping.images-confined")
@pytest.mark.parametrize("container", CONTAINERS, ids=name)
def test_an_image_runs_as_somebody_who_owns_nothing_of_it(container: Container) -> None:
    """By number, so that Kubernetes can tell that it is not root."""
    saw = looked(container)
    assert inspected(container.image("latest"))["Config"]["User"] == "10001:10001"
    assert saw["ids"] == [10001, 10001]
    assert saw["writable"] == []


@pytest.mark.requirement("shipping.images-confined")
@pytest.mark.parametrize("container", SERVERS, ids=name)
def test_an_image_says_where_it_answers_and_how_to_ask_whether_it_is_well(
    container: Container,
) -> None:
    """One port; a probe that this image has."""
    config = inspected(container.image("latest"))["Config"]
    port, page = (8470, "readyz") if container.name == "router" else (8480, "healthz")
    assert list(config["ExposedPorts"]) == [f"{port}/tcp"]
    assert config["Healthcheck"]["Test"] == ["CMD", "probe", f"http://127.0.0.1:{port}/{page}"]
    assert config["Entrypoint"] == ["serve"]


@pytest.mark.requirement("shipping.images-secrets")
@pytest.mark.parametrize("container", CONTAINERS, ids=name)
def test_no_secret_is_in_an_image(container: Container) -> None:
    """Neither a variable that could hold one, nor an argument of the build, nor a file of ours."""
    image = container.image("latest")
    steps = docker("history", "--no-trunc", "--format", "{{.CreatedBy}}", image)
    assert not [word for word in SECRETIVE if word in steps.upper()]
    variables = inspected(image)["Config"]["Env"]
    assert not [each for each in variables if any(word in each.upper() for word in SECRETIVE)]


@pytest.mark.requirement("shipping.images-labels")
@pytest.mark.parametrize("container", CONTAINERS, ids=name)
def test_an_image_says_what_it_is(container: Container) -> None:
    """By the OCI's names: what, which version, from which commit, under which licence."""
    labels = inspected(container.image("latest"))["Config"]["Labels"]
    told = {key.rpartition(".")[2]: value for key, value in labels.items()}
    assert told["title"] == f"trunkline/{container.name}"
    assert told["version"] == versions.current()
    assert told["licenses"] == "MIT"
    assert told["revision"] not in ("", "unknown")
    assert all(key.startswith("org.opencontainers.image.") for key in labels)


@pytest.mark.requirement("shipping.release-sbom")
@pytest.mark.parametrize("container", CONTAINERS, ids=name)
def test_an_image_holds_what_is_locked_and_its_list_says_all_of_it(container: Container) -> None:
    """Python's packages, Debian's, and the interpreter; none in another version than the lock's."""
    image = container.image("latest")
    held = contents(image)
    listed = json.loads(described(image, locked(container, ROOT), held))["components"]
    kinds = [each["purl"].partition("/")[0] for each in listed if "purl" in each]
    assert kinds.count("pkg:deb") == len(held.debian) > 0
    assert len(listed) == len(held.python) + len(held.debian) + 1
    assert ("git" in {each.name for each in held.debian}) is (container not in PLAIN)
