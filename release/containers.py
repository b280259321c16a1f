"""Which containers the mesh is made of, and which part of services/Dockerfile makes each."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from release.refusing import Refused

ROOT = Path(__file__).parents[1]
DEMO = "demo"
_TARGETS = {"router": "router", "branch-context": "runtime-git", DEMO: "demo"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """One image: `name` is what compose.yaml and k8s/ call it."""

    name: str
    target: str
    distribution: str

    def image(self, tag: str) -> str:
        return f"trunkline/{self.name}:{tag}"


def containers(root: Path = ROOT) -> tuple[Container, ...]:
    """Return the container of each service, the router first, and that of the stand-ins last."""
    services = sorted(_services(root), key=lambda each: (each.name != "router", each.name))
    return *services, Container(name=DEMO, target=DEMO, distribution="trunkline-shared")


def named(names: Sequence[str], root: Path = ROOT) -> tuple[Container, ...]:
    """Return the containers of these names, or all of them for none. Raises Refused."""
    known = {each.name: each for each in containers(root)}
    for name in names:
        if name not in known:
            raise Refused(f"There is no container {name!r}. There are: {', '.join(known)}.")
    return tuple(known[name] for name in dict.fromkeys(names)) or tuple(known.values())


def _services(root: Path) -> Iterator[Container]:
    for manifest in root.glob("services/*/pyproject.toml"):
        name = manifest.parent.name.replace("_", "-")
        project = tomllib.loads(manifest.read_text("utf-8"))["project"]
        yield Container(
            name=name, target=_TARGETS.get(name, "runtime"), distribution=project["name"]
        )
