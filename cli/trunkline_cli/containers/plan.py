"""What a start in containers is about: the checkout, the state folder, Compose's environment."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from trunkline_cli.containers.credentials import BELONGING, VARIABLES
from trunkline_cli.containers.served_checkout import checkout_around
from trunkline_cli.demo import demo_environment
from trunkline_cli.environment import value_in
from trunkline_cli.failure import CommandFailed

ROOT = Path(__file__).resolve().parents[3]
"""The checkout that this command is installed from, with compose.yaml in it."""
DEMO_PROJECT = "trunkline-demo"
DEMO_ORIGINS: Mapping[str, str] = {
    "github": "http://demo:8481/api/v3",
    "basecamp": "http://demo:8482",
    "jira": "http://demo:8483",
}
"""Where the containers find the stand-ins: the ports of trunkline_shared.testing.demo."""
COLLECTOR: Mapping[str, str] = {"grpc": "http://collector:4317"}
COLLECTOR_HTTP = "http://collector:4318"
_PASSED_ON = (
    *BELONGING,
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "OTEL_METRICS_EXPORTER",
    "TRUNKLINE_ALLOWED_ORIGINS",
    "TRUNKLINE_ALLOWED_REPOS",
    "TRUNKLINE_BRIDGE_RUNNER",
    "TRUNKLINE_ENABLE_WRITES",
    "TRUNKLINE_GITHUB_API_VERSION",
    "TRUNKLINE_GITHUB_REPOSITORY",
    "TRUNKLINE_HOST",
    "TRUNKLINE_JIRA_PROJECTS",
    "TRUNKLINE_LOG_LEVEL",
    "TRUNKLINE_PORT",
    "TRUNKLINE_PUBLIC_URL",
    "TRUNKLINE_READ_ONLY",
    "TRUNKLINE_SERVERS",
    "TRUNKLINE_TOOLSETS",
    "TRUNKLINE_WORKERS",
)
"""The variables that compose.yaml passes on: here each may be a file as well."""
# A make above us, and its options, are no business of what we run.
_OF_MAKE = frozenset({"MAKEFLAGS", "MAKELEVEL", "MFLAGS"})
_SECRET = frozenset({
    *(name for names in VARIABLES.values() for name in names),
    "TRUNKLINE_API_KEY",
    "TRUNKLINE_MESH_KEY",
    "TRUNKLINE_REDIS_URL",
    "TRUNKLINE_SECRET",
})


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`given` is the environment of whoever starts it, or the demo's; the rest is chosen."""

    given: Mapping[str, str]
    state: Path
    checkout: Path
    demo: bool
    observability: bool

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles' options for Compose."""
        chosen = {"demo": self.demo, "observability": self.observability}
        return tuple(f"--profile={name}" for name, wanted in chosen.items() if wanted)


def plan(given: Mapping[str, str], *, demo: bool, observability: bool) -> Plan:
    """Return the plan: the demo knows nothing of its starter's vendors. Raises CommandFailed."""
    if not (ROOT / "compose.yaml").is_file():
        raise CommandFailed(
            f"there is no {ROOT / 'compose.yaml'}: `trunkline up` is for a checkout of Trunkline. "
            "Clone it and run `make up` there."
        )
    default = ".trunkline/compose-demo" if demo else ".trunkline/compose"
    named = value_in(given, "TRUNKLINE_STATE") or default
    return Plan(
        given=_of_the_demo(given) if demo else given,
        state=ROOT / Path(named).expanduser(),
        checkout=checkout_around(Path(value_in(given, "TRUNKLINE_REPO_PATH") or ".")),
        demo=demo,
        observability=observability,
    )


def _of_the_demo(given: Mapping[str, str]) -> dict[str, str]:
    made = demo_environment(given, DEMO_ORIGINS)
    # Where tokens are renewed is sent secrets, and so has to be https; the demo's is not renewed.
    del made["TRUNKLINE_BASECAMP_TOKEN_URL"]
    return made


def remembered(text: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return what belongs to the credentials: as it is given, else as it was the last time."""
    try:
        before = dict(json.loads(text or "{}"))
    except (TypeError, ValueError):
        before = {}
    known = {name: value_in(given, name) or before.get(name, "") for name in BELONGING}
    return {name: value for name, value in known.items() if value}


def compose_environment(plan: Plan, belonging: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of Compose: no credential is in it, those are in files."""
    kept = {
        name: value
        for name, value in plan.given.items()
        if name not in _SECRET and name not in _PASSED_ON and name not in _OF_MAKE
    }
    told = {name: value_in(plan.given, name) for name in _PASSED_ON}
    chosen = {name: value for name, value in told.items() if value} | dict(belonging)
    if plan.observability:
        protocol = chosen.get("OTEL_EXPORTER_OTLP_PROTOCOL", "")
        # Prometheus asks the router itself: metrics that were sent as well would count twice.
        chosen = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": COLLECTOR.get(protocol, COLLECTOR_HTTP),
            "OTEL_METRICS_EXPORTER": "none",
        } | chosen
    if plan.demo:
        chosen = {"COMPOSE_PROJECT_NAME": kept.get("COMPOSE_PROJECT_NAME") or DEMO_PROJECT} | chosen
    return (
        kept
        | chosen
        | {
            "TRUNKLINE_STATE": str(plan.state),
            "TRUNKLINE_REPO_PATH": str(plan.checkout),
        }
    )
