"""What docs/add-a-service.md writes into compose.yaml and k8s/ is of the shape that is there."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.pages import blocks_of

ROOT = Path(__file__).parents[2]
PAGE = "docs/add-a-service.md"
CONFINED = ("read_only", "cap_drop", "security_opt", "user", "mem_limit", "pids_limit")


def block(beginning: str) -> str:
    """Return the block of YAML that begins like this."""
    (found,) = [
        each.text
        for each in blocks_of(PAGE)
        if each.language == "yaml" and each.text.lstrip().startswith(beginning)
    ]
    return found


@pytest.mark.requirement("shipping.docs-service")
def test_the_service_fits_into_compose() -> None:
    """Set among the others, it is held to what they are held to."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    with_it = text.replace("\nservices:\n", f"\nservices:\n{block('weather:')}", 1)
    services: Mapping[str, Any] = yaml.safe_load(with_it)["services"]
    weather, model = services["weather"], services["jira"]
    assert {name: weather[name] for name in CONFINED} == {name: model[name] for name in CONFINED}
    assert weather["environment"].keys() >= {"TRUNKLINE_MESH_KEY_FILE", "TRUNKLINE_TRACES_URL"}
    assert weather["networks"] == ["weather", *model["networks"][1:]]
    assert weather["image"] == model["image"].replace("jira", "weather")


@pytest.mark.requirement("shipping.docs-service")
def test_the_folder_for_kubernetes_is_like_its_neighbours() -> None:
    """The kustomization word for word; each change of `needs.yaml` is one of a neighbour's."""
    neighbour = ROOT / "k8s/services/jira"
    theirs = (neighbour / "kustomization.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(block("apiVersion:")) == yaml.safe_load(theirs.replace("jira", "weather"))
    known = {each["path"] for each in yaml.safe_load((neighbour / "needs.yaml").read_text("utf-8"))}
    assert {each["path"] for each in yaml.safe_load(block("- op:"))} <= known


@pytest.mark.requirement("shipping.docs-service")
def test_each_file_that_the_page_names_is_there() -> None:
    """But for those of the service that it writes."""
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    named = re.findall(r"`((?:cli|services|release|k8s|tests)/[\w./-]+)`", text)
    assert len(named) > 8
    assert [name for name in named if "weather" not in name and not (ROOT / name).exists()] == []
