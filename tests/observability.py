"""The profile's files, as tests read them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "observability"
DASHBOARD: Any = json.loads(
    (FOLDER / "grafana/dashboards/trunkline.json").read_text(encoding="utf-8")
)


def rules_of(name: str) -> Sequence[dict[str, Any]]:
    """Return the rules of a file of alerts or records."""
    groups = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels_of(dashboard: Any) -> Sequence[dict[str, Any]]:
    """Return what a dashboard draws, without the titles of its rows."""
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]
