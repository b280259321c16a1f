"""`trunkline up`: the mesh in containers, started and ready when the command ends."""

import argparse
import time

from trunkline_cli import terminal
from trunkline_cli.announcement import Start, announce_start, examples
from trunkline_cli.containers.bringing_up import Running, bring_up
from trunkline_cli.containers.credentials import Missing
from trunkline_cli.containers.plan import plan
from trunkline_cli.containers.served_checkout import complaint_about
from trunkline_cli.environment import API_KEY, variables
from trunkline_cli.failure import OK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the profiles, and the output format."""
    parser.add_argument(
        "--demo",
        action="store_true",
        help="serve stand-ins of GitHub, Basecamp and Jira, which need no account",
    )
    parser.add_argument(
        "--observability",
        action="store_true",
        help="start a collector, Jaeger, Prometheus and Grafana as well",
    )
    parser.add_argument("--json", action="store_true", help="print what is running as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Start what is not running, and say what is."""
    began = time.monotonic()
    chosen = plan(variables(), demo=arguments.demo, observability=arguments.observability)
    running = bring_up(chosen, terminal.complain if arguments.json else terminal.say)
    warnings = [] if arguments.demo else [_warning(running, each) for each in running.missing]
    if unserved := complaint_about(chosen.checkout):
        warnings.append(unserved)
    if running.revoked:
        warnings.append(
            f"the key in {running.state.api_key} is revoked: delete that file to have another made"
        )
    if arguments.json:
        terminal.say(terminal.as_json(_told(running, warnings)))
        return OK
    announce_start(
        Start(
            address=running.address,
            configuration=str(running.state.configuration),
            status=running.status,
            seconds=time.monotonic() - began,
            warnings=warnings,
            keyed=True,
            key_file=running.state.api_key,
        )
    )
    if arguments.demo:
        known = running.status.get("servers", {})
        terminal.say(examples(running.address.port, known, f"with {API_KEY} as above"))
    if arguments.observability:
        terminal.say("Grafana: http://127.0.0.1:3000/  Jaeger: http://127.0.0.1:16686/")
    end = "make down DEMO=1" if arguments.demo else "make down"
    terminal.say(
        terminal.paint(f"It runs until `{end}`, also after this machine's restart.", "dim")
    )
    return OK


def _warning(running: Running, missing: Missing) -> str:
    files = " or ".join(str(running.state.secret_file(name)) for name in missing.secrets)
    return (
        f"{', '.join(missing.servers)}: no credentials, so their tools answer CREDENTIALS_MISSING. "
        f"Set {missing.variables} and run `make up` again (kept in {files})"
    )


def _told(running: Running, warnings: list[str]) -> dict[str, object]:
    return {
        "url": running.address.mcp,
        "dashboard": f"{running.address.url}/",
        "configuration": str(running.state.configuration),
        "key_file": str(running.state.api_key),
        "servers": running.status.get("servers", {}),
        "warnings": warnings,
    }
