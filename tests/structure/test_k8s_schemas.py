"""Every combination of overlay and components is what the API server takes, to the last key."""

import gzip
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # it has no types
import pytest
import yaml
from jsonschema import Draft7Validator

from tests.samples import CUSTOM_RESOURCES
from tests.structure.k8s_rendering import (
    COMBINATIONS,
    COMPONENTS,
    K8S,
    ROOT,
    Manifest,
    Rendering,
    of_kind,
    pod_of,
    rendered,
    rendered_in,
    workloads,
)

VERSIONS = ("1.29", "1.37")
"""The oldest Kubernetes that the docs name, and the newest whose schemas are known here."""
pytestmark = pytest.mark.requirement("shipping.k8s-schemas")


@cache
def custom_resources() -> Mapping[str, Any]:
    with gzip.open(CUSTOM_RESOURCES) as packed:
        schemas: Mapping[str, Any] = json.load(packed)["schemas"]
        return schemas


@cache
def complaint_about(text: str, version: str) -> str:
    """Return what is wrong with an object; most of them are the same in every combination."""
    manifest: Manifest = json.loads(text)
    own = custom_resources().get(f"{manifest['apiVersion']} {manifest['kind']}")
    if own is not None:
        return "; ".join(error.message for error in Draft7Validator(own).iter_errors(manifest))
    try:
        kubernetes_validate.validate(dict(manifest), version, strict=True)
    except kubernetes_validate.ValidationError as error:
        return str(error.message)
    return ""


@pytest.mark.parametrize("rendering", COMBINATIONS, ids=str)
def test_each_object_has_the_keys_of_its_kind_and_no_others(rendering: Rendering) -> None:
    """Against the strict schemas of the API, and those of the custom resources."""
    for manifest in rendered(rendering):
        for version in VERSIONS:
            complaint = complaint_about(json.dumps(manifest, sort_keys=True), version)
            assert not complaint, (version, manifest["kind"], manifest["metadata"]["name"])


@pytest.mark.parametrize("rendering", COMBINATIONS, ids=str)
def test_no_two_objects_have_one_name(rendering: Rendering) -> None:
    """The second would overwrite the first; and all are in one namespace."""
    named = [(each["kind"], each["metadata"]["name"]) for each in rendered(rendering)]
    assert len(named) == len(set(named))
    assert {each["metadata"].get("namespace", "trunkline") for each in rendered(rendering)} == {
        "trunkline"
    }


@pytest.mark.parametrize("rendering", COMBINATIONS, ids=str)
def test_a_component_changes_no_pod(rendering: Rendering) -> None:
    """What the other tests say of the overlays' pods holds for every combination."""
    own = workloads(Rendering(overlay=rendering.overlay))
    for name, workload in workloads(rendering).items():
        assert pod_of(workload) == pod_of(own[name])


def test_what_the_docs_have_an_operator_write_is_taken_too() -> None:
    """An overlay of their own renders, with every image from their registry; so do its objects."""
    page = (ROOT / "docs/deploy-kubernetes.md").read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- load: kubernetes -->\n```yaml\n(.*?)```", page, re.DOTALL)
    overlay, policy = (yaml.safe_load(block) for block in blocks)
    made = rendered_in(K8S / "overlays/team", overlay)
    images = {
        container["image"]
        for manifest in made
        if manifest["kind"] == "Deployment"
        for container in pod_of(manifest)["containers"]
    }
    assert all(image.startswith("registry.example/trunkline/") for image in images)
    for manifest in (*made, policy):
        assert not complaint_about(json.dumps(manifest, sort_keys=True), VERSIONS[-1])


def test_every_component_is_in_some_combination() -> None:
    """And there are some that are not in the overlays themselves."""
    own = {"autoscaling", "disruption-budgets", "ingress", "network-policies"}
    assert own.union(*(each.more for each in COMBINATIONS)) == set(COMPONENTS)


@pytest.mark.requirement("shipping.k8s-secrets")
@pytest.mark.parametrize("rendering", COMBINATIONS, ids=str)
def test_no_rendering_holds_a_secret(rendering: Rendering) -> None:
    """No Secret is among the objects, and nothing that looks like one is in them."""
    assert not of_kind(rendering, "Secret")
    text = yaml.safe_dump_all(rendered(rendering))
    assert not re.search(r"(?i)://[^/\s]+:[^/\s]+@|\btl_\w+_|\bgh[ps]_|BEGIN [A-Z ]*KEY", text)


@pytest.mark.parametrize(
    "broken",
    [
        {"apiVersion": "v1", "kind": "Service", "metadata": {}, "spec": {"port": 1}},
        {"apiVersion": "monitoring.coreos.com/v1", "kind": "PodMonitor", "spec": {"x": 1}},
        {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "spec": {"host": 1}},
    ],
    ids=lambda each: str(each["kind"]),
)
def test_an_unknown_key_is_found(broken: Manifest) -> None:
    """Or else the tests above would prove nothing."""
    assert complaint_about(json.dumps(broken), VERSIONS[-1])
