"""What kustomize makes of `k8s/`: each overlay, and each with other components than it has."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
K8S = ROOT / "k8s"
COMPONENTS = tuple(sorted(path.parent.name for path in K8S.glob("components/*/kustomization.yaml")))
Manifest = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """An overlay's name, and what components it has besides its own or in the place of some."""

    overlay: str
    more: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "".join((
            self.overlay,
            *(f"+{name}" for name in self.more),
            *(f"-{name}" for name in self.without),
        ))


DEV, TEAM = Rendering(overlay="dev"), Rendering(overlay="team")
OVERLAYS = (DEV, TEAM)
GATEWAY = Rendering(overlay="team", more=("gateway",), without=("ingress",))
EXTERNAL_REDIS = tuple(
    Rendering(overlay=each.overlay, more=("external-redis",)) for each in OVERLAYS
)
COMBINATIONS = (
    *OVERLAYS,
    GATEWAY,
    *EXTERNAL_REDIS,
    Rendering(overlay="dev", more=("external-secrets", "ingress", "observability")),
    Rendering(overlay="team", more=("external-secrets",)),
    Rendering(overlay="team", more=("observability", "autoscaling-in-flight")),
    Rendering(
        overlay="team",
        more=(
            "autoscaling-in-flight",
            "external-redis",
            "external-secrets",
            "gateway",
            "observability",
        ),
        without=("ingress",),
    ),
)


@cache
def rendered(rendering: Rendering) -> tuple[Manifest, ...]:
    """Return the objects, as they would be sent to a cluster."""
    source = K8S / "overlays" / rendering.overlay
    if not (rendering.more or rendering.without):
        return tuple(yaml.safe_load_all(_kustomized(source)))
    given = yaml.safe_load((source / "kustomization.yaml").read_text(encoding="utf-8"))
    kept = [path for path in given["components"] if Path(path).name not in rendering.without]
    given["components"] = [*kept, *(f"../../components/{name}" for name in rendering.more)]
    return rendered_in(source, given)


def rendered_in(source: Path, given: Mapping[str, Any]) -> tuple[Manifest, ...]:
    """Return what a kustomization makes that stands in the place of an overlay's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        moved = {
            key: [os.path.relpath(source / path, folder) for path in given[key]]
            for key in ("resources", "components")
        }
        (folder / "kustomization.yaml").write_text(yaml.safe_dump({**given, **moved}))
        shutil.copy(source / "settings.env", folder)
        return tuple(yaml.safe_load_all(_kustomized(folder)))


def _kustomized(folder: Path) -> str:
    done = subprocess.run([*_program(), folder], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def _program() -> Sequence[str]:
    """Return kustomize, alone or within kubectl; without both a laptop skips, and CI fails."""
    if shutil.which("kustomize"):
        return ("kustomize", "build")
    if shutil.which("kubectl"):
        return ("kubectl", "kustomize")
    if os.environ.get("CI"):  # noqa: TID251 - how a CI says that it is one
        pytest.fail("there is neither kustomize nor kubectl, which CI must have")
    pytest.skip("there is neither kustomize nor kubectl on PATH")


def of_kind(rendering: Rendering, *kinds: str) -> dict[str, Manifest]:
    """Return the objects of some kinds by their names."""
    return {each["metadata"]["name"]: each for each in rendered(rendering) if each["kind"] in kinds}


def workloads(rendering: Rendering) -> dict[str, Manifest]:
    """Return what has pods, by its name."""
    return of_kind(rendering, "Deployment", "StatefulSet")


def pod_of(workload: Manifest) -> Manifest:
    """Return the specification of a workload's pods."""
    pod: Manifest = workload["spec"]["template"]["spec"]
    return pod


def labels_of(workload: Manifest) -> Mapping[str, str]:
    """Return the labels of a workload's pods."""
    labels: Mapping[str, str] = workload["spec"]["template"]["metadata"]["labels"]
    return labels


def containers(rendering: Rendering) -> Iterator[tuple[str, Manifest]]:
    """Yield every container with its workload's and its own name."""
    for name, workload in workloads(rendering).items():
        pod = pod_of(workload)
        for container in (*pod.get("initContainers", ()), *pod["containers"]):
            yield f"{name}/{container['name']}", container


def selects(selector: Manifest, labels: Mapping[str, str]) -> bool:
    """Whether a label selector selects pods with these labels."""
    return all(
        labels.get(key) == value for key, value in selector.get("matchLabels", {}).items()
    ) and all(_fits(each, labels) for each in selector.get("matchExpressions", ()))


def _fits(expression: Manifest, labels: Mapping[str, str]) -> bool:
    assert expression["operator"] == "In", "no other operator is in use"
    return labels.get(expression["key"]) in expression["values"]
