"""k8s/: which version of our images it deploys."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

_IMAGE = re.compile(r'^(\s*(?:- )?image: "?trunkline/[a-z-]+:)([^"\s]+)', re.MULTILINE)
_TAG = re.compile(r"^(\s*newName: trunkline/.*\n\s*newTag: \"?)([^\"\s]+)", re.MULTILINE)


def stated(root: Path) -> Mapping[Path, frozenset[str]]:
    """Return the versions that each file names."""
    found = {
        path: frozenset(match.group(2) for form in (_IMAGE, _TAG) for match in form.finditer(text))
        for path, text in _files(root)
    }
    return {path: versions for path, versions in found.items() if versions}


def state(version: str, root: Path) -> None:
    """Write a version wherever one of our images is named."""
    for path, text in _files(root):
        path.write_text(_TAG.sub(rf"\g<1>{version}", _IMAGE.sub(rf"\g<1>{version}", text)), "utf-8")


def _files(root: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted((root / "k8s").rglob("*.yaml")):
        yield path, path.read_text("utf-8")
