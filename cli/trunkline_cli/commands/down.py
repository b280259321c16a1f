"""`trunkline down`: the end of the mesh in containers."""

import argparse

from trunkline_cli import terminal
from trunkline_cli.containers.ending import take_down
from trunkline_cli.containers.plan import plan
from trunkline_cli.environment import variables
from trunkline_cli.failure import OK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare which mesh, and whether its data goes as well."""
    parser.add_argument("--demo", action="store_true", help="end the one of `trunkline up --demo`")
    parser.add_argument(
        "--volumes",
        action="store_true",
        help="delete what Redis, Prometheus and Grafana keep; keys and secrets stay",
    )


def run(arguments: argparse.Namespace) -> int:
    """End every container; what they keep stays unless it is asked for."""
    chosen = plan(variables(), demo=arguments.demo, observability=False)
    take_down(chosen, terminal.say, volumes=arguments.volumes)
    terminal.say(f"trunkline has ended. Keys and secrets stay in {chosen.state}.")
    return OK
