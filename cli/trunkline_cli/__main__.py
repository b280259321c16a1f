"""The `trunkline` command: finds the command's module and runs it.

Each command's module is imported only when it is the one asked for: `trunkline call` answers in
less time than importing what `trunkline run` needs would take.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from trunkline_cli.failure import USAGE, CommandFailed, unknown
from trunkline_cli.terminal import complain
from trunkline_shared.launch import importing

COMMANDS = {
    "run": "run the mesh on this machine until Ctrl-C",
    "up": "run the mesh in containers, with Docker Compose",
    "down": "end the mesh in containers",
    "secrets": "print the secrets of a mesh in Kubernetes, for kubectl apply",
    "stdio": "run the mesh as one MCP server on standard input and output",
    "status": "show the servers of the running router",
    "tools": "list the tools of the running router",
    "call": "call a tool: trunkline call SERVER.TOOL key=value ...",
    "cache": "show what the cache does, invalidate a tag, watch what is changed",
    "trace": "show the newest calls, or each step of one: trunkline trace ID",
    "key": "make, list and revoke API keys",
    "context": "mint a token for one job: bound, narrowed, and for an hour",
    "connect": "print or write the configuration of an MCP client",
    "doctor": "check this machine, the credentials and the router",
}
EXIT_CODES = """\
exit codes:
  0  done
  1  it failed, or the tool answered with an error
  2  the command line or a variable is wrong
  4  no router answers at the address (TRUNKLINE_HOST, TRUNKLINE_PORT, TRUNKLINE_PUBLIC_URL)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(given)
    except CommandFailed as failure:
        complain(failure.message)
        return failure.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`trunkline tools | head`): nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _run(given: list[str]) -> int:
    chosen = next((word for word in given if not word.startswith("-")), None)
    if chosen is not None and chosen not in COMMANDS:
        raise unknown("command", chosen, COMMANDS)
    parser = argparse.ArgumentParser(
        prog="trunkline",
        description="One URL for every tool that a team's coding agents need.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    module: ModuleType | None = None
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f"{summary}.")
        if name == chosen:
            with importing():
                module = importlib.import_module(f"trunkline_cli.commands.{name}")
            module.add_arguments(command)
    arguments = parser.parse_args(given)
    if module is None:
        parser.print_help()
        return USAGE
    code: int = module.run(arguments)
    return code


class _Version(argparse.Action):
    """Print the version; the look-up is imported only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        version = importlib.import_module("trunkline_cli.version")
        print(f"trunkline {version.installed_version()}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
