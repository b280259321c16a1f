"""The version of the project: of all members the same, kept in the root's pyproject.toml."""

import tomllib
from pathlib import Path

from release.containers import ROOT


def current(root: Path = ROOT) -> str:
    """Return the version that the checkout has."""
    manifest = (root / "pyproject.toml").read_text("utf-8")
    return str(tomllib.loads(manifest)["project"]["version"])
