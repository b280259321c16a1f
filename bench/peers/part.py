"""The router beside its peers."""

from pathlib import Path

from bench.findings import Findings


def findings(quick: bool, *, folder: Path) -> Findings:  # noqa: FBT001 - a part's form
    raise NotImplementedError(f"{quick} {folder}")
