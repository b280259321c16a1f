"""The files of the profile `observability` are whole, agree with each other, and open nothing."""

import gzip
import ipaddress
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from tests.observability import DASHBOARD, FOLDER, ROOT, panels_of
from tests.samples import COMPOSE_SCHEMA

COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
PROFILE = {
    name: service
    for name, service in COMPOSE["services"].items()
    if "observability" in service.get("profiles", [])
}
PINNED = re.compile(r"[a-z0-9./-]+:v?\d+\.\d+\.\d+")
SECRETIVE = re.compile(r"(?i)password|secret_key|bearer|\btl_\w+_")


def read(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def mounts() -> Iterator[tuple[str, str, str]]:
    """Return each file and directory of ours that a container sees: by whom, what, and where."""
    for service, given in PROFILE.items():
        for mount in given["volumes"]:
            source, target, *rest = mount.split(":")
            if source.startswith("."):
                assert rest == ["ro"], mount
                yield service, source, target


def seen_by(service: str) -> dict[str, Path]:
    """Return where a container finds our files."""
    return {target: ROOT / source for whose, source, target in mounts() if whose == service}


@pytest.fixture(name="schema", scope="module")
def the_schema() -> Any:
    with gzip.open(COMPOSE_SCHEMA) as packed:
        return json.load(packed)["schema"]


@pytest.mark.requirement("seeing.profile")
def test_compose_yaml_is_what_the_compose_specification_allows(schema: Any) -> None:
    """Its own JSON schema, which knows every key."""
    assert [error.message for error in Draft7Validator(schema).iter_errors(COMPOSE)] == []
    broken = {"services": {"grafana": {"imag": "grafana"}}}
    assert not Draft7Validator(schema).is_valid(broken)


@pytest.mark.requirement("seeing.profile")
@pytest.mark.parametrize("service", PROFILE)
def test_a_service_is_pinned_bounded_and_confined(service: str) -> None:
    """By its exact version; it cannot write to its image, gain rights, or take all memory."""
    given = PROFILE[service]
    assert PINNED.fullmatch(given["image"]), given["image"]
    assert given["read_only"] is True
    assert given["cap_drop"] == ["ALL"]
    assert given["security_opt"] == ["no-new-privileges:true"]
    assert given["restart"] == "unless-stopped"
    assert given["mem_limit"]
    assert given["logging"]["options"]["max-size"]


@pytest.mark.requirement("seeing.profile")
@pytest.mark.parametrize("service", PROFILE)
def test_ports_are_open_to_this_machine_alone(service: str) -> None:
    """The loopback's address stands in front of each."""
    for port in PROFILE[service].get("ports", []):
        host, _, _ = port.rpartition(":")
        assert ipaddress.ip_address(host.rpartition(":")[0]).is_loopback


@pytest.mark.requirement("seeing.profile")
def test_no_secret_stands_in_any_file_of_the_profile() -> None:
    """The key comes from a file that `make up` writes."""
    named = COMPOSE["secrets"]["observe_key"]["file"]
    assert named == "${TRUNKLINE_STATE:-./.trunkline/compose}/secrets/observe_key"
    for path in (ROOT / "compose.yaml", *FOLDER.rglob("*.*")):
        assert not SECRETIVE.search(path.read_text(encoding="utf-8")), path


@pytest.mark.requirement("seeing.profile")
def test_what_is_mounted_and_named_is_there() -> None:
    """Each file that a command, a variable or a provider names is one that its container sees."""
    for _, source, _ in mounts():
        assert (ROOT / source).exists(), source
    for service in ("collector", "jaeger", "prometheus"):
        config = next(one for one in PROFILE[service]["command"] if one.startswith("--config"))
        assert config.partition("=")[2] in seen_by(service)
    assert {f"/etc/trunkline/{name}" for name in read("prometheus.yaml")["rule_files"]} <= set(
        seen_by("prometheus")
    )
    grafana = seen_by("grafana")
    home = Path(PROFILE["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"])
    providers = read("grafana/provisioning/dashboards/trunkline.yaml")["providers"]
    assert {str(home.parent)} == {one["options"]["path"] for one in providers}
    assert (grafana[str(home.parent)] / home.name).is_file()


@pytest.mark.requirement("seeing.profile")
def test_each_address_is_a_service_and_a_port_of_the_profile() -> None:
    """Or the router, which joins the network under that name."""
    names = {*PROFILE, "router"}
    for path in (*FOLDER.glob("*.yaml"), *FOLDER.rglob("provisioning/**/*.yaml")):
        for host, port in re.findall(r"(?:https?://|\")?\b([a-z_]+):(\d{4,5})\b", path.read_text()):
            assert host in names, f"{path.name}: {host}:{port}"
    listening = (FOLDER / "collector.yaml").read_text(encoding="utf-8")
    for port in re.findall(r"collector:(\d+)", (FOLDER / "prometheus.yaml").read_text()):
        assert port in listening


@pytest.mark.requirement("seeing.profile")
@pytest.mark.parametrize("name", ["collector.yaml", "jaeger.yaml"])
def test_each_part_of_a_collector_is_defined_and_used(name: str) -> None:
    """A receiver in no pipeline receives nothing; a pipeline of what is undefined never starts."""
    config = read(name)
    service = config["service"]
    for kind in ("receivers", "processors", "exporters"):
        used = {one for pipeline in service["pipelines"].values() for one in pipeline[kind]}
        assert used == set(config[kind]), kind
    assert set(service.get("extensions", [])) == set(config.get("extensions", {}))
    for pipeline in service["pipelines"].values():
        assert pipeline["processors"][-1] == "batch"


@pytest.mark.requirement("seeing.profile")
def test_jaeger_keeps_a_bounded_number_of_traces_where_it_looks_for_them() -> None:
    """One store, written by the exporter and read by the query service."""
    config = read("jaeger.yaml")
    backends = config["extensions"]["jaeger_storage"]["backends"]
    (name, store), *others = backends.items()
    assert others == []
    assert 0 < store["memory"]["max_traces"] <= 20_000
    assert config["extensions"]["jaeger_query"]["storage"] == {"traces": name}
    assert config["exporters"]["jaeger_storage_exporter"] == {"trace_storage": name}


@pytest.mark.requirement("seeing.profile")
def test_traces_and_metrics_go_where_they_are_looked_for() -> None:
    """Traces to Jaeger's receiver; metrics under the names of /metrics, with their exemplars."""
    exporters = read("collector.yaml")["exporters"]
    assert exporters["otlp_grpc/jaeger"]["endpoint"] == "jaeger:4317"
    assert exporters["prometheus"]["enable_open_metrics"] is True
    assert exporters["prometheus"]["translation_strategy"] == "UnderscoreEscapingWithSuffixes"
    assert "--enable-feature=exemplar-storage" in PROFILE["prometheus"]["command"]


@pytest.mark.requirement("seeing.profile")
def test_grafana_asks_the_sources_that_it_is_given() -> None:
    """Every panel, variable and annotation; a request's trace opens in Jaeger."""
    sources = read("grafana/provisioning/datasources/trunkline.yaml")["datasources"]
    uids = {source["uid"]: source["type"] for source in sources}
    assert uids == {"prometheus": "prometheus", "jaeger": "jaeger"}
    for source in asked_of(DASHBOARD):
        assert uids[source["uid"]] == source["type"]
    (exemplars,) = (
        source["jsonData"]["exemplarTraceIdDestinations"]
        for source in sources
        if "jsonData" in source
    )
    assert {one["name"] for one in exemplars} == {"trace_id"}
    assert {one.get("datasourceUid", "jaeger") for one in exemplars} <= set(uids)
    assert PROFILE["jaeger"]["ports"] == ["127.0.0.1:16686:16686"]
    assert exemplars[0]["url"] == "http://127.0.0.1:16686/trace/$${__value.raw}"


def asked_of(node: Any) -> Iterator[dict[str, str]]:
    """Return every data source that is named in a dashboard."""
    if isinstance(node, list):
        for one in node:
            yield from asked_of(one)
    elif isinstance(node, dict):
        for key, one in node.items():
            if key == "datasource":
                yield one
            else:
                yield from asked_of(one)


@pytest.mark.requirement("seeing.profile")
def test_the_dashboard_is_one_that_grafana_reads_and_a_person_too() -> None:
    """Panels of their own id that do not overlap, each explained; the file is laid out stably."""
    assert DASHBOARD["schemaVersion"] == 41
    text = (FOLDER / "grafana/dashboards/trunkline.json").read_text(encoding="utf-8")
    assert text == json.dumps(DASHBOARD, indent=2, ensure_ascii=False) + "\n"
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"])
                 for y in range(at["y"], at["y"] + at["h"])}  # fmt: skip
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
    for panel in panels_of(DASHBOARD):
        assert panel["description"].endswith("."), panel["title"]
        references = [target["refId"] for target in panel["targets"]]
        assert len(set(references)) == len(references)


@pytest.mark.requirement("seeing.profile")
def test_each_variable_is_used_and_each_that_is_used_is_there() -> None:
    """Grafana's own begin with two underscores."""
    given = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    used = set(re.findall(r"\$([a-z]\w*)", json.dumps(DASHBOARD["panels"])))
    assert used == given == {"job", "server", "agent", "tool"}
