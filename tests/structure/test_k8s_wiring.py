"""What Kubernetes objects name is there: pods behind selectors, ports, keys, variables, rules."""

import os
import re
from collections.abc import Iterator
from textwrap import indent

import pytest
import yaml

from tests.docs.settings_reference import known
from tests.observability import FOLDER as OBSERVABILITY
from tests.structure.k8s_rendering import (
    COMBINATIONS,
    K8S,
    OVERLAYS,
    ROOT,
    TEAM,
    Manifest,
    Rendering,
    containers,
    labels_of,
    of_kind,
    pod_of,
    selects,
    workloads,
)
from trunkline_cli.containers.mesh_secrets import names
from trunkline_router.configuration.settings import BUILT_IN
from trunkline_router.measures.catalogue import CATALOGUE
from trunkline_router.measures.names import sample_name

pytestmark = pytest.mark.requirement("shipping.k8s-wiring")
overlays = pytest.mark.parametrize("rendering", OVERLAYS, ids=str)
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
MEMBERS = {"router", *(known.container for known in BUILT_IN.values())}
UPDATE = os.environ.get("UPDATE_SNAPSHOTS") == "1"  # noqa: TID251 - how `make snapshots` asks
RULES = K8S / "components/observability/rules.yaml"
RULES_HEAD = """\
# Written by make snapshots from observability/recording.yaml and observability/alerts.yaml.
# yamllint disable rule:line-length
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: trunkline
spec:
  groups:
"""
OPTIONAL = {"sync_token"}
"""Keys that an operator may add, and nothing makes."""


def variables(container: Manifest) -> dict[str, str]:
    return {each["name"]: each["value"] for each in container["env"]}


@overlays
def test_every_server_of_the_mesh_is_there(rendering: Rendering) -> None:
    """Each in a folder of its own, and named in one line."""
    assert workloads(rendering).keys() == MEMBERS | {"redis"}
    listed = yaml.safe_load((K8S / "services/kustomization.yaml").read_text(encoding="utf-8"))
    assert set(listed["resources"]) == MEMBERS
    assert {path.parent.name for path in K8S.glob("services/*/kustomization.yaml")} == MEMBERS


@pytest.mark.parametrize("name", sorted(MEMBERS))
def test_a_service_says_no_more_than_what_is_its_own(name: str) -> None:
    """A dozen lines, and its settings in a file beside it where there are many."""
    lines = (K8S / f"services/{name}/kustomization.yaml").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 13


@overlays
def test_each_service_has_the_pods_of_its_name_alone(rendering: Rendering) -> None:
    """And so has each deployment; selectors of two never meet."""
    for name, service in of_kind(rendering, "Service").items():
        spec = service["spec"]
        behind = [
            other
            for other, workload in workloads(rendering).items()
            if spec["selector"].items() <= labels_of(workload).items()
        ]
        assert behind == [name]
    for name, workload in workloads(rendering).items():
        chosen = [
            other
            for other, each in workloads(rendering).items()
            if selects(workload["spec"]["selector"], labels_of(each))
        ]
        assert chosen == [name]


@overlays
def test_ports_are_those_that_the_images_listen_on(rendering: Rendering) -> None:
    """8470 is the router's, 8480 a server's; a Service shows the same by a name."""
    dockerfile = (ROOT / "services/Dockerfile").read_text(encoding="utf-8")
    exposed = {int(port) for port in re.findall(r"^EXPOSE (\d+)", dockerfile, re.MULTILINE)}
    assert exposed == {8470, 8480}
    for name, service in of_kind(rendering, "Service").items():
        (port,) = service["spec"]["ports"]
        (named,) = pod_of(workloads(rendering)[name])["containers"][0]["ports"]
        wanted = {"router": 8470, "redis": 6379}.get(name, 8480)
        assert (port["port"], port["targetPort"]) == (wanted, named["name"])
        assert named["containerPort"] == wanted


@overlays
def test_each_variable_is_one_that_somebody_reads(rendering: Rendering) -> None:
    """A settings class, or whoever reads a credential live."""
    (settings,) = (
        each
        for name, each in of_kind(rendering, "ConfigMap").items()
        if name.startswith("settings-")
    )
    assert settings["data"].keys() <= known()
    for name, container in containers(rendering):
        if name != "redis/redis":
            assert {each.removesuffix("_FILE") for each in variables(container)} <= known(), name
            assert container["envFrom"] == [
                {"configMapRef": {"name": settings["metadata"]["name"]}}
            ]


@overlays
def test_each_container_has_the_settings_that_it_has_under_compose(rendering: Rendering) -> None:
    """The same files behind the same variables; what belongs to one place alone is named here."""
    for name, container in containers(rendering):
        member, _, part = name.partition("/")
        if part != "server":
            continue
        under_compose = {
            key: value
            for key, value in COMPOSE["services"][member]["environment"].items()
            if value is not None and not str(value).startswith("${")
        }
        here = variables(container)
        if member == "branch-context":
            del under_compose["TRUNKLINE_REPO_PATH"], here["TRUNKLINE_REPO_PATH"]
        assert here == under_compose, member


@overlays
def test_each_secret_s_file_is_mounted_from_a_key_that_trunkline_makes(
    rendering: Rendering,
) -> None:
    """Every NAME_FILE names a mounted file, and every mounted file is named by one."""
    for workload in workloads(rendering).values():
        pod = pod_of(workload)
        for container in pod["containers"]:
            mounted = dict(secret_files(pod, container))
            assert set(mounted.values()) <= {*names(), *OPTIONAL}, container["name"]
            if container["name"] == "redis":
                continue
            wanted = {
                value for name, value in variables(container).items() if name.endswith("_FILE")
            }
            assert mounted.keys() == wanted


def secret_files(pod: Manifest, container: Manifest) -> Iterator[tuple[str, str]]:
    """Yield each file of the Secret `secrets` in a container, and the key that it is from."""
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for mount in container["volumeMounts"]:
        volume = volumes.get(mount["name"], {})
        sources = [each["secret"] for each in volume.get("projected", {}).get("sources", ())]
        if volume.get("secret", {}).get("secretName") == "secrets":
            sources.append(volume["secret"])
        for item in (item for source in sources for item in source["items"]):
            yield f"{mount['mountPath']}/{item['path']}", item["key"]


@overlays
def test_a_member_has_no_secret_of_another_one(rendering: Rendering) -> None:
    """The same as under Compose, which names them for each."""
    for member in MEMBERS:
        pod = pod_of(workloads(rendering)[member])
        mounted = {key for _, key in secret_files(pod, pod["containers"][0])}
        under_compose = {
            each if isinstance(each, str) else each["source"]
            for each in COMPOSE["services"][member]["secrets"]
        }
        assert mounted == under_compose, member


@overlays
def test_what_a_pod_mounts_is_there_or_made_by_the_operator(rendering: Rendering) -> None:
    """ConfigMaps are in the rendering; the two Secrets are those of `trunkline secrets`."""
    maps = of_kind(rendering, "ConfigMap")
    for workload in workloads(rendering).values():
        pod = pod_of(workload)
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        claims = {
            each["metadata"]["name"] for each in workload["spec"].get("volumeClaimTemplates", ())
        }
        for volume in volumes.values():
            assert volume.get("configMap", {"name": next(iter(maps))})["name"] in maps
            secret = volume.get("secret", {}).get("secretName", "secrets")
            assert secret in {"secrets", "configuration"}
        mounted = {
            mount["name"] for container in pod["containers"] for mount in container["volumeMounts"]
        }
        assert mounted == volumes.keys() | claims


def test_the_host_of_clients_stands_in_one_place() -> None:
    """Ingress and route have it from TRUNKLINE_PUBLIC_URL."""
    (settings,) = (each for name, each in of_kind(TEAM, "ConfigMap").items() if "settings" in name)
    host = settings["data"]["TRUNKLINE_PUBLIC_URL"].removeprefix("https://")
    (ingress,) = of_kind(TEAM, "Ingress").values()
    assert [each["host"] for each in ingress["spec"]["rules"]] == [host]
    assert [each["hosts"] for each in ingress["spec"]["tls"]] == [[host]]
    for rendering in (each for each in COMBINATIONS if "gateway" in each.more):
        (route,) = of_kind(rendering, "HTTPRoute").values()
        assert route["spec"]["hostnames"] == [host]
        (rule,) = route["spec"]["rules"]
        assert [(each["name"], each["port"]) for each in rule["backendRefs"]] == [("router", 8470)]


def test_streams_pass_through_the_ingress_as_they_come() -> None:
    """Nothing gathers them up; an hour of silence is no reason to cut one off."""
    (ingress,) = of_kind(TEAM, "Ingress").values()
    prefix = "nginx.ingress.kubernetes.io/"
    told = {
        key.removeprefix(prefix): value for key, value in ingress["metadata"]["annotations"].items()
    }
    assert told["proxy-buffering"] == told["proxy-request-buffering"] == "off"
    assert int(told["proxy-read-timeout"]) >= 3600
    assert told["proxy-next-upstream"] == "off"


def test_calls_in_flight_scale_by_a_metric_that_the_router_has() -> None:
    """Under the name that the adapter's rule gives it."""
    (rendering,) = (each for each in COMBINATIONS if each.more[:1] == ("observability",))
    scaler = of_kind(rendering, "HorizontalPodAutoscaler")["router"]
    cpu, in_flight = scaler["spec"]["metrics"]
    assert cpu["type"] == "Resource"
    metric = in_flight["pods"]["metric"]["name"]
    assert metric in {sample_name(each) for each in CATALOGUE}
    values = yaml.safe_load(
        (K8S / "components/autoscaling-in-flight/adapter.values.yaml").read_text(encoding="utf-8")
    )
    (rule,) = values["rules"]["custom"]
    assert rule["name"]["as"] == metric
    assert rule["seriesQuery"].startswith(metric + "{")


def test_prometheus_asks_the_routers_as_the_job_that_alerts_know() -> None:
    """By the label of their pods, with the key that only observes."""
    (rendering,) = (each for each in COMBINATIONS if each.more[:1] == ("observability",))
    (monitor,) = of_kind(rendering, "PodMonitor").values()
    router = workloads(rendering)["router"]
    assert selects(monitor["spec"]["selector"], labels_of(router))
    assert labels_of(router)[monitor["spec"]["jobLabel"]] == "trunkline"
    (endpoint,) = monitor["spec"]["podMetricsEndpoints"]
    assert endpoint["port"] in {each["name"] for each in pod_of(router)["containers"][0]["ports"]}
    assert endpoint["authorization"]["credentials"] == {"name": "secrets", "key": "observe_key"}
    assert "observe_key" in names()


def test_the_rules_are_those_that_are_tested() -> None:
    """The same lines in the shape of the custom resource, written by `make snapshots`."""
    if UPDATE:
        RULES.write_text(rules(), encoding="utf-8")
    assert RULES.read_text(encoding="utf-8") == rules()
    groups = [group["name"] for group in yaml.safe_load(rules())["spec"]["groups"]]
    assert len(groups) == len(set(groups))
    assert {"trunkline", "routers", "servers"} <= set(groups)


def rules() -> str:
    """Return all groups as one PrometheusRule."""
    below = [
        (OBSERVABILITY / name).read_text(encoding="utf-8").partition("\ngroups:\n")[2]
        for name in ("recording.yaml", "alerts.yaml")
    ]
    return RULES_HEAD + indent("\n".join(below), "  ")
