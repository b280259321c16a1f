"""What Compose is told: the caller's switches, no credential, and the demo's own world."""

from pathlib import Path

import pytest
import yaml

from trunkline_cli.containers import plan as planning
from trunkline_cli.containers.plan import ROOT, Plan, compose_environment, plan, remembered
from trunkline_shared.testing import demo

CREDENTIALS = {
    "GITHUB_TOKEN": "a-real-secret",
    "BASECAMP_ACCESS_TOKEN": "a-real-secret",
    "JIRA_API_TOKEN": "a-real-secret",
    "TRUNKLINE_GITHUB_APP_PRIVATE_KEY": "a-real-secret",
    "TRUNKLINE_API_KEY": "a-real-secret",
    "TRUNKLINE_MESH_KEY": "a-real-secret",
    "TRUNKLINE_SECRET": "a-real-secret",
}


def planned(given: dict[str, str], *, demo: bool = False, observability: bool = False) -> Plan:
    return plan(given, demo=demo, observability=observability)


def told(
    given: dict[str, str], *, demo: bool = False, observability: bool = False
) -> dict[str, str]:
    made = planned(given, demo=demo, observability=observability)
    return compose_environment(made, remembered("", made.given))


def test_every_variable_that_compose_passes_on_may_be_a_file(tmp_path: Path) -> None:
    """Those of compose.yaml without a value, neither more nor fewer."""
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    passed = {
        name
        for service in services.values()
        for name, value in service.get("environment", {}).items()
        if value is None
    }
    file = tmp_path / "value"
    file.write_text("7\n", encoding="utf-8")
    made = told({f"{name}_FILE": str(file) for name in passed})
    assert {name for name in passed if made.get(name) == "7"} == passed


@pytest.mark.requirement("shipping.up-credentials")
def test_no_credential_is_in_the_environment_of_compose() -> None:
    """They are in files: an environment can be read off a container."""
    assert "a-real-secret" not in told(CREDENTIALS | {"PATH": "/bin"}).values()


@pytest.mark.requirement("shipping.up-credentials")
def test_what_belongs_to_a_credential_is_remembered_with_it() -> None:
    """A token is of no use without the host that it is for."""
    assert remembered('{"JIRA_HOST": "a.test"}', {}) == {"JIRA_HOST": "a.test"}
    assert remembered('{"JIRA_HOST": "a.test"}', {"JIRA_HOST": "b.test"}) == {"JIRA_HOST": "b.test"}
    for damaged in ("no JSON", "[1]", "7"):
        assert remembered(damaged, {"JIRA_USERNAME": "me"}) == {"JIRA_USERNAME": "me"}


@pytest.mark.requirement("shipping.up-demo")
def test_the_demo_has_a_folder_a_project_and_vendors_of_its_own() -> None:
    """Nothing of the caller's is in it, and nothing of it is in the caller's mesh."""
    given = CREDENTIALS | {"JIRA_HOST": "corp.atlassian.net", "BASECAMP_ACCOUNT_ID": "99"}
    made = told(given, demo=True)
    assert "a-real-secret" not in made.values()
    assert made["COMPOSE_PROJECT_NAME"] == "trunkline-demo"
    assert made["TRUNKLINE_STATE"] == str(ROOT / ".trunkline/compose-demo")
    assert made["TRUNKLINE_GITHUB_API_URL"] == f"http://demo:{demo.GITHUB}{demo.ENTERPRISE}"
    assert made["TRUNKLINE_BASECAMP_API_URL"] == f"http://demo:{demo.BASECAMP}"
    assert made["TRUNKLINE_JIRA_URL"] == f"http://demo:{demo.JIRA}"
    assert "JIRA_HOST" not in made
    true = told(given)
    assert true["TRUNKLINE_STATE"] == str(ROOT / ".trunkline/compose")
    assert true["JIRA_HOST"] == "corp.atlassian.net"
    assert "COMPOSE_PROJECT_NAME" not in true


@pytest.mark.requirement("shipping.up-observability")
def test_observability_sends_traces_to_the_collector_and_metrics_to_nobody() -> None:
    """Prometheus asks the router for them; a collector of one's own goes before ours."""
    made = told({}, observability=True)
    assert made["OTEL_EXPORTER_OTLP_ENDPOINT"] == planning.COLLECTOR_HTTP
    assert made["OTEL_METRICS_EXPORTER"] == "none"
    over_grpc = told({"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, observability=True)
    assert over_grpc["OTEL_EXPORTER_OTLP_ENDPOINT"] == planning.COLLECTOR["grpc"]
    own = told({"OTEL_EXPORTER_OTLP_ENDPOINT": "https://otel.example"}, observability=True)
    assert own["OTEL_EXPORTER_OTLP_ENDPOINT"] == "https://otel.example"
    assert planned({}, observability=True).profiles == ("--profile=observability",)


def test_a_variable_that_is_set_to_nothing_is_not_set() -> None:
    """A switch of a server would take the empty text for a value."""
    assert "TRUNKLINE_READ_ONLY" not in told({"TRUNKLINE_READ_ONLY": ""})


def test_a_make_above_is_no_business_of_the_one_that_builds() -> None:
    """Its options would be taken for the other's."""
    assert (
        told({"MAKEFLAGS": "w", "MAKELEVEL": "1", "PATH": "/bin"}).keys()
        & {
            "MAKEFLAGS",
            "MAKELEVEL",
        }
        == set()
    )


def test_a_folder_of_one_s_own_is_named_from_the_checkout() -> None:
    """As compose.yaml has it."""
    assert planned({"TRUNKLINE_STATE": "elsewhere"}).state == ROOT / "elsewhere"
    assert planned({"TRUNKLINE_STATE": "/srv/mesh"}).state == Path("/srv/mesh")
