"""The process that hosts all servers: `python -m trunkline_cli.host`, started by the supervisor.

It ties itself to its parent before it imports anything large.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import NamedTuple

from trunkline_cli.lifeline import end_with_parent
from trunkline_shared.launch import importing


class HostedServer(NamedTuple):
    """A server of this process: its id, the module that holds its SERVICE, its descriptor."""

    id: str
    module: str
    descriptor: int


def parser() -> argparse.ArgumentParser:
    """Return the parser of what the supervisor passes: file descriptors that it has opened."""
    words = argparse.ArgumentParser(prog="trunkline-host", allow_abbrev=False)
    words.add_argument("--lifeline", type=int, required=True, help="a pipe that ends the process")
    words.add_argument("--report", type=int, help="a pipe that takes the default repository")
    words.add_argument(
        "--server", type=_server, action="append", default=[], metavar="ID=MODULE=FD"
    )
    words.add_argument(
        "--stand-in",
        type=_stand_in,
        action="append",
        default=[],
        metavar="VENDOR=FD",
        help="serve the demo's stand-in of a vendor there",
    )
    return words


def _server(text: str) -> HostedServer:
    name, module, descriptor = text.split("=")
    return HostedServer(name, module, int(descriptor))


def _stand_in(text: str) -> tuple[str, int]:
    vendor, descriptor = text.split("=")
    return vendor, int(descriptor)


def main(argv: Sequence[str] | None = None) -> None:
    """Host the servers named on the command line until the parent ends."""
    given = parser().parse_args(argv)
    end_with_parent(given.lifeline)
    with importing():
        hosting = importlib.import_module("trunkline_cli.hosting")
    hosting.main(given.server, dict(given.stand_in), given.report)


if __name__ == "__main__":
    main(sys.argv[1:])
