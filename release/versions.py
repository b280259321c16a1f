"""The version of the project: one for all members, and each member's pyproject.toml says it."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from release.containers import ROOT
from release.refusing import Refused

_STATED = re.compile(r'^version = "([^"]*)"$', re.MULTILINE)
_FORM = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:(a|b|rc)(0|[1-9]\d*))?")
_STAGES = ("a", "b", "rc", None)


def manifests(root: Path = ROOT) -> tuple[Path, ...]:
    """Return every pyproject.toml that states the version, that of the whole first."""
    patterns = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    members = patterns["tool"]["uv"]["workspace"]["members"]
    found = sorted(file for each in members for file in root.glob(f"{each}/pyproject.toml"))
    return root / "pyproject.toml", *found


def stated(root: Path = ROOT) -> Mapping[Path, str]:
    """Return the version in each manifest. Raises Refused for one that has none."""
    return {path: _of(path) for path in manifests(root)}


def current(root: Path = ROOT) -> str:
    """Return the version that the checkout has. Raises Refused."""
    return _of(root / "pyproject.toml")


def state(version: str, root: Path = ROOT) -> None:
    """Write a version into every manifest."""
    for path in manifests(root):
        text = path.read_text("utf-8")
        path.write_text(_STATED.sub(f'version = "{version}"', text, count=1), "utf-8")


def order(version: str) -> tuple[int, ...]:
    """Return what a version is sorted by. Raises Refused for one that is not of our form."""
    form = _FORM.fullmatch(version)
    if form is None:
        raise Refused(f"{version!r} is no version: write 1.2.3, or 1.2.3rc1 before it.")
    major, minor, patch, stage, number = form.groups()
    return int(major), int(minor), int(patch), _STAGES.index(stage), int(number or 0)


def _of(manifest: Path) -> str:
    found = _STATED.search(manifest.read_text("utf-8"))
    if found is None:
        raise Refused(f'{manifest} states no version: add `version = "…"` under [project].')
    return found.group(1)
