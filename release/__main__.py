"""`python -m release images [NAME ...]`."""

import argparse
import subprocess
import sys
from collections.abc import Sequence

from release.containers import ROOT, named
from release.images import Build, build
from release.refusing import Refused
from release.versions import current


def main(argv: Sequence[str] | None = None) -> None:
    """Do what the command line says; end with 1 and what mends it if that cannot be done."""
    options = _parser().parse_args(argv)
    try:
        _images(options)
    except Refused as refused:
        sys.exit(f"trunkline: {refused}")


def _images(options: argparse.Namespace) -> None:
    wanted = Build(version=current(), revision=_revision(), platforms=options.platforms)
    build(wanted, named(options.names))


def _revision() -> str:
    git = ("git", "rev-parse", "--short=12", "HEAD")
    asked = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "unknown"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    commands = parser.add_subparsers(required=True)
    images = commands.add_parser("images", help="build the images")
    images.add_argument("names", nargs="*", metavar="NAME", help="a container; all without one")
    images.add_argument("--platforms", default="", help="such as linux/amd64,linux/arm64")
    return parser


if __name__ == "__main__":
    main()
