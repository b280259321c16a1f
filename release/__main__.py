"""`python -m release images [NAME ...]`, `python -m release version VERSION`."""

import argparse
import sys
import time
from collections.abc import Sequence

from release.checkout import Checkout
from release.containers import ROOT, named
from release.cutting import Cut, cut
from release.images import Build, build
from release.refusing import Refused
from release.versions import current


def main(argv: Sequence[str] | None = None) -> None:
    """Do what the command line says; end with 1 and what mends it if that cannot be done."""
    options = _parser().parse_args(argv)
    try:
        options.run(options)
    except Refused as refused:
        sys.exit(f"trunkline: {refused}")


def _images(options: argparse.Namespace) -> None:
    revision = Checkout(ROOT).revision()
    build(
        Build(version=current(), revision=revision, platforms=options.platforms),
        named(options.names),
    )


def _version(options: argparse.Namespace) -> None:
    if not options.version:
        raise Refused(f"Which version? {current()} is here: make release VERSION=…")
    date = time.strftime("%Y-%m-%d", time.gmtime())
    cut(Cut(root=ROOT, version=options.version, date=date, images=options.images))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    commands = parser.add_subparsers(required=True)
    images = commands.add_parser("images", help="build the images")
    images.add_argument("names", nargs="*", metavar="NAME", help="a container; all without one")
    images.add_argument("--platforms", default="", help="such as linux/amd64,linux/arm64")
    images.set_defaults(run=_images)
    version = commands.add_parser("version", help="make a version, tagged and not published")
    version.add_argument("version", nargs="?", default="")
    version.add_argument("--no-images", dest="images", action="store_false")
    version.set_defaults(run=_version)
    return parser


if __name__ == "__main__":
    main()
