"""`trunkline secrets`: what a mesh in Kubernetes keeps secret, for `kubectl apply`."""

import argparse
import sys
from pathlib import Path

from trunkline_cli import terminal
from trunkline_cli.containers import credentials
from trunkline_cli.containers.kubernetes_secrets import NAMESPACE, objects
from trunkline_cli.containers.mesh_keys import have_observe_key, have_owner_key
from trunkline_cli.containers.mesh_secrets import keep_secrets
from trunkline_cli.containers.plan import ROOT
from trunkline_cli.containers.state_folder import OWNERS_FILE, StateFolder, held, text_of, written
from trunkline_cli.environment import value_in, variables
from trunkline_cli.failure import OK, USAGE, CommandFailed

_FOLDER = ".trunkline/kubernetes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the namespace, and the folder in which everything is kept."""
    parser.add_argument(
        "--namespace", default=NAMESPACE, metavar="NAME", help=f"where they go (else {NAMESPACE})"
    )
    parser.add_argument(
        "--state",
        metavar="FOLDER",
        help=f"where they are kept (else TRUNKLINE_STATE, else {_FOLDER} of the checkout)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Make what is missing, and print a Namespace and two Secrets."""
    if sys.stdout.isatty():
        raise CommandFailed(
            "this prints secrets, which a terminal keeps: pipe it into "
            "`kubectl apply --server-side -f -`",
            USAGE,
        )
    given = variables()
    named = arguments.state or value_in(given, "TRUNKLINE_STATE") or _FOLDER
    folder = ROOT / Path(named).expanduser()
    with held(folder, lambda: terminal.complain(f"waiting for another in {folder}")) as state:
        keep_secrets(state, given)
        have_owner_key(state)
        have_observe_key(state)
        redis = value_in(given, "TRUNKLINE_REDIS_URL") or text_of(_elsewhere(state)).strip()
        made = objects(state, arguments.namespace, redis)
        if redis:
            written(_elsewhere(state), redis + "\n", OWNERS_FILE)
        terminal.say(terminal.as_json(made))
        _tell(state)
    return OK


def _tell(state: StateFolder) -> None:
    print(f"the key for clients: {state.api_key}", file=sys.stderr)
    if _elsewhere(state).exists():
        print(f"Redis is outside of the cluster: {_elsewhere(state)} says where", file=sys.stderr)
    if not state.secret(credentials.GITHUB_TOKEN):
        print(
            "no GITHUB_TOKEN is set and none is kept: the tools of GitHub will answer "
            f"CREDENTIALS_MISSING. Set it and run this again (kept in {state.path}/secrets)",
            file=sys.stderr,
        )


def _elsewhere(state: StateFolder) -> Path:
    """Return where it is kept which Redis a cluster uses that is not its own."""
    return state.path / "redis-url"
