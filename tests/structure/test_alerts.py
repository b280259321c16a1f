"""Every alert is raised by what it is about and by nothing else, and tells what to do."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.observability import FOLDER, ROOT, rules_of
from tests.prometheus_programs import program
from tests.structure.alert_cases import CASES, Series

RULES = [FOLDER / "recording.yaml", FOLDER / "alerts.yaml"]
OPERATE = ROOT / "docs" / "operate.md"


ALERTS = rules_of("alerts.yaml")


def promtool(*command: str) -> str:
    """Run it; what it has to complain of fails the test."""
    done = subprocess.run(
        [program("promtool"), *command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def written(text: str) -> Sequence[str]:
    """Return the anchors that a page's headings have on GitHub."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles]


@pytest.mark.requirement("seeing.alerts")
def test_promtool_finds_nothing_wrong_with_rules_and_configuration(tmp_path: Path) -> None:
    """Lint included; the paths that only the container has are put where the files are."""
    promtool("check", "rules", "--lint=all", "--lint-fatal", *map(str, RULES))
    key = tmp_path / "key"
    key.write_text("", encoding="utf-8")
    config = (FOLDER / "prometheus.yaml").read_text(encoding="utf-8")
    for name in ("recording.yaml", "alerts.yaml"):
        config = re.sub(rf"(?<=[\[ ]){name}", str(FOLDER / name), config)
    config = config.replace("/run/secrets/observe_key", str(key))
    (tmp_path / "prometheus.yaml").write_text(config, encoding="utf-8")
    promtool("check", "config", "--lint-fatal", str(tmp_path / "prometheus.yaml"))


@pytest.mark.requirement("seeing.alerts")
def test_every_alert_is_tried_out() -> None:
    """The table below has all of them, and no other."""
    assert list(CASES) == [alert["alert"] for alert in ALERTS]


@pytest.mark.requirement("seeing.alerts")
@pytest.mark.parametrize("name", CASES)
def test_an_alert_is_raised_by_what_it_is_about_alone(name: str, tmp_path: Path) -> None:
    """After its time and not before; by numbers near to it, never."""
    case = CASES[name]
    moments = [(case.fires, case.raised, 1), (case.stays_quiet, case.raised, 0)]
    if case.too_early is not None:
        moments.append((case.fires, case.too_early, 0))
    given = {
        "rule_files": list(map(str, RULES)),
        "evaluation_interval": case.every,
        "tests": [tried(name, *moment) | {"interval": case.every} for moment in moments],
    }
    written_to = tmp_path / "test.yaml"
    written_to.write_text(yaml.safe_dump(given), encoding="utf-8")
    promtool("test", "rules", str(written_to))


def tried(name: str, series: Series, at: str, raised: int) -> dict[str, object]:
    """Return a test of promtool's: is the alert firing then?"""
    firing = f'count(ALERTS{{alertname="{name}", alertstate="firing"}})'
    expected = [{"labels": "{}", "value": raised}] if raised else []
    return {
        "input_series": [{"series": key, "values": told} for key, told in series.items()],
        "promql_expr_test": [{"expr": firing, "eval_time": at, "exp_samples": expected}],
    }


@pytest.mark.requirement("seeing.alerts")
@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_an_alert_says_how_bad_it_is_and_where_to_read_what_to_do(alert: dict[str, Any]) -> None:
    """A summary of one line, the value, and a section of docs/operate.md under its own name."""
    annotations = alert["annotations"]
    assert alert["labels"]["severity"] in {"critical", "warning", "info"}
    assert annotations["summary"].endswith(".")
    assert "$value" in annotations["description"] or alert["expr"].startswith("up{")
    page, _, anchor = annotations["runbook_url"].partition("#")
    assert page.endswith("/blob/main/docs/operate.md")
    assert anchor == alert["alert"].lower()
    assert anchor in written(OPERATE.read_text(encoding="utf-8"))
