"""docs/deploy-compose.md says of secrets, networks and variables what compose.yaml says."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/deploy-compose.md").read_text(encoding="utf-8")
COMPOSE: Mapping[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: Mapping[str, Any] = COMPOSE["services"]
GITHUB = ("comment", "inline-review", "ci-status", "issues")


def table(heading: str) -> list[list[str]]:
    """Return the cells of each row of the first table below a heading."""
    _, _, below = TEXT.partition(f"\n## {heading}\n")
    rows = re.findall(r"^\| (.+) \|$", below.partition("\n## ")[0], re.MULTILINE)
    return [row.split(" | ") for row in rows]


def secrets_of(service: str) -> set[str]:
    given = SERVICES[service].get("secrets", [])
    return {each if isinstance(each, str) else each["source"] for each in given}


@pytest.mark.requirement("shipping.docs-compose")
def test_each_secret_is_in_the_table_with_who_reads_it() -> None:
    """All of them, and no other."""
    readers = {
        "all of ours": {*GITHUB, "router", "project-reader", "jira", "branch-context", "bridge"},
        "the four GitHub servers": set(GITHUB),
    }
    told: dict[str, set[str]] = {}
    for cells in table("Credentials"):
        for name in re.findall(r"`(\w+)`", cells[0]):
            own = {name.removeprefix("redis_url_").replace("_", "-")}
            by_name = own if cells[-1] == "the container of that name" else None
            told[name] = readers.get(cells[-1]) or by_name or set(cells[-1].split(", "))
    wanted = {
        secret: {name for name in SERVICES if secret in secrets_of(name)}
        for secret in COMPOSE["secrets"]
    }
    assert told == wanted


@pytest.mark.requirement("shipping.docs-compose")
def test_who_reaches_redis_and_the_world_is_as_the_networks_have_it() -> None:
    """By container, in the table of who reaches whom."""
    to_redis = set(SERVICES["redis"]["networks"])
    seen = set()
    for cells in table("Who reaches whom")[1:]:
        for name in cells[0].split(", "):
            if name not in SERVICES or name == "redis":
                continue
            seen.add(name)
            networks = set(SERVICES[name]["networks"])
            assert ("Redis" in cells[1]) == bool(networks & to_redis), name
            outwards = re.search(r"GitHub|Basecamp|Jira|the world", cells[1])
            assert bool(outwards) == bool(networks & {"egress", "front"}), name
    ours = {n for n, each in SERVICES.items() if str(each["image"]).startswith("trunkline/")}
    assert seen == ours - {"demo"}


@pytest.mark.requirement("shipping.docs-compose")
def test_each_variable_of_the_settings_reaches_a_container() -> None:
    """Or is one that compose.yaml itself reads."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    for cells in table("Settings"):
        for name in re.findall(r"`([A-Z]\w+)`", cells[0]):
            assert name in text, name
