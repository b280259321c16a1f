"""Every pod is held to what it needs: rights, files, memory and processor time, a bounded end."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.structure.k8s_rendering import (
    DEV,
    OVERLAYS,
    ROOT,
    TEAM,
    Manifest,
    Rendering,
    containers,
    of_kind,
    pod_of,
    rendered,
    selects,
    workloads,
)

overlays = pytest.mark.parametrize("rendering", OVERLAYS, ids=str)
CONFINED = pytest.mark.requirement("shipping.k8s-confined")
LIVES = pytest.mark.requirement("shipping.k8s-lives")
FORBIDDEN = ("hostNetwork", "hostPID", "hostIPC", "hostPath", "hostPort", "privileged")
RUNTIME_S = 35
"""How long the end of a process takes at most: TRUNKLINE_DRAIN_S and TRUNKLINE_FINISH_S."""
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def keys_of(node: Any) -> Iterator[str]:
    """Return every key within a manifest."""
    if isinstance(node, list):
        for each in node:
            yield from keys_of(each)
    elif isinstance(node, dict):
        yield from node
        for each in node.values():
            yield from keys_of(each)


@CONFINED
@overlays
def test_nothing_reaches_for_the_node(rendering: Rendering) -> None:
    """No privileged container, no path, port or namespace of the host."""
    for manifest in rendered(rendering):
        assert not set(keys_of(manifest)) & set(FORBIDDEN), manifest["metadata"]["name"]


@CONFINED
@overlays
def test_the_namespace_enforces_what_the_pods_keep_to(rendering: Rendering) -> None:
    """Pod security `restricted`: a pod that asks for more is refused by the API server."""
    (namespace,) = of_kind(rendering, "Namespace").values()
    for mode in ("enforce", "audit", "warn"):
        assert namespace["metadata"]["labels"][f"pod-security.kubernetes.io/{mode}"] == "restricted"


@CONFINED
@overlays
def test_each_pod_is_restricted(rendering: Rendering) -> None:
    """https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted"""
    for name, workload in workloads(rendering).items():
        pod = pod_of(workload)
        security = pod["securityContext"]
        assert security["runAsNonRoot"] is True, name
        assert security["runAsUser"] == security["runAsGroup"] == security["fsGroup"] == 10001
        assert security["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False
        for volume in pod["volumes"]:
            assert volume.keys() - {"name"} <= {"emptyDir", "projected", "secret", "configMap"}
            assert "sizeLimit" in volume.get("emptyDir", {"sizeLimit": ""}), volume
    for name, container in containers(rendering):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }, name


@CONFINED
@overlays
def test_each_container_has_requests_and_limits(rendering: Rendering) -> None:
    """Of memory and processor time; what is asked for is no more than what is allowed."""
    for name, container in containers(rendering):
        requests, limits = (container["resources"][kind] for kind in ("requests", "limits"))
        assert requests.keys() == limits.keys() == {"cpu", "memory"}, name
        for what in requests:
            assert 0 < amount(requests[what]) <= amount(limits[what]), (name, what)


def amount(text: str) -> float:
    """Return a quantity of Kubernetes as a number."""
    units = {"": 1.0, "m": 1e-3, "Mi": 2.0**20, "Gi": 2.0**30}
    parts = re.fullmatch(r"(\d+)([A-Za-z]*)", text)
    assert parts is not None, text
    return int(parts[1]) * units[parts[2]]


@CONFINED
@overlays
def test_only_what_has_to_be_written_can_be(rendering: Rendering) -> None:
    """Secrets, configuration and the server's checkout are mounted to be read."""
    for name, container in containers(rendering):
        writable = {
            mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly")
        }
        also = {"branch-context/sync": {"/checkout"}, "redis/redis": {"/data"}}.get(name, set())
        assert writable - {"/tmp"} == also, name  # noqa: S108 - the container's own


@CONFINED
@overlays
def test_images_are_ours_by_version_and_none_is_the_latest(rendering: Rendering) -> None:
    """One version, the project's; others by at least their major version."""
    for name, container in containers(rendering):
        repository, _, tag = container["image"].partition(":")
        own = name.partition("/")[0]
        if repository.startswith("trunkline/"):
            assert (repository, tag) == (f"trunkline/{own}", VERSION)
        else:
            assert re.match(r"v?\d", tag), container["image"]
        assert container["imagePullPolicy"] == "IfNotPresent"


@LIVES
@overlays
def test_each_container_is_probed(rendering: Rendering) -> None:
    """A server by HTTP at the port that it names; all are asked whether they live and are ready."""
    for name, container in containers(rendering):
        assert {"readinessProbe", "livenessProbe"} <= container.keys(), name
        if not name.endswith("/server"):
            continue
        paths = {kind: container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "liveness")}
        assert all(probe == {"path": "/healthz", "port": "mcp"} for probe in paths.values())
        assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "mcp"}
        startup = container["startupProbe"]
        assert startup["periodSeconds"] * startup["failureThreshold"] >= 30


@LIVES
@overlays
def test_an_ending_pod_has_the_time_that_its_process_takes(rendering: Rendering) -> None:
    """A minute: grace for balancers, then the calls in flight, then some to spare."""
    for workload in workloads(rendering).values():
        assert pod_of(workload)["terminationGracePeriodSeconds"] == 60 > RUNTIME_S


@LIVES
@overlays
def test_an_update_takes_no_pod_away_before_its_successor_is_ready(rendering: Rendering) -> None:
    """maxUnavailable 0; and what is unready is noticed within the grace of an ending process."""
    for name, workload in of_kind(rendering, "Deployment").items():
        update = workload["spec"]["strategy"]["rollingUpdate"]
        assert update == {"maxSurge": 1, "maxUnavailable": 0}, name
        readiness = pod_of(workload)["containers"][0]["readinessProbe"]
        assert readiness["periodSeconds"] * readiness["failureThreshold"] <= 5


@LIVES
@overlays
def test_replicas_are_spread_over_nodes_and_zones(rendering: Rendering) -> None:
    """By their own name, and each version by itself."""
    for name, workload in of_kind(rendering, "Deployment").items():
        spread = pod_of(workload)["topologySpreadConstraints"]
        assert [each["topologyKey"] for each in spread] == [
            "kubernetes.io/hostname",
            "topology.kubernetes.io/zone",
        ]
        for each in spread:
            assert each["labelSelector"]["matchLabels"]["app.kubernetes.io/name"] == name
            assert each["matchLabelKeys"] == ["pod-template-hash"]


@LIVES
def test_a_team_s_routers_are_two_at_least_and_scaled_by_their_work() -> None:
    """What is scaled has no number of its own, which each `apply` would reset."""
    deployments, scalers = of_kind(TEAM, "Deployment"), of_kind(TEAM, "HorizontalPodAutoscaler")
    assert deployments.keys() - scalers.keys() == {"branch-context"}
    for name, scaler in scalers.items():
        spec = scaler["spec"]
        assert spec["scaleTargetRef"] == {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "name": name,
        }
        assert "replicas" not in deployments[name]["spec"]
        assert 2 <= spec["minReplicas"] < spec["maxReplicas"]
        (metric,) = spec["metrics"]
        assert metric["resource"]["name"] == "cpu"
        # One process has one processor; of two that are left, either can take what three had.
        assert 0.4 <= amount(metric["resource"]["target"]["averageValue"]) <= 0.7


@LIVES
def test_on_one_s_own_machine_there_is_one_of_each() -> None:
    """A laptop has no room for more, and nothing that scales."""
    assert not of_kind(DEV, "HorizontalPodAutoscaler", "PodDisruptionBudget", "Ingress")
    assert {each["spec"].get("replicas", 1) for each in workloads(DEV).values()} == {1}


@LIVES
def test_a_drained_node_takes_one_pod_at_a_time() -> None:
    """Each deployment's pods are under one budget, which allows an eviction when all are well."""
    budgets = of_kind(TEAM, "PodDisruptionBudget").values()
    for name, workload in of_kind(TEAM, "Deployment").items():
        labels = workload["spec"]["template"]["metadata"]["labels"]
        over = [each for each in budgets if selected(each, labels)]
        assert [each["spec"]["maxUnavailable"] for each in over] == [1], name


def selected(budget: Manifest, labels: dict[str, str]) -> bool:
    return selects(budget["spec"]["selector"], labels)
