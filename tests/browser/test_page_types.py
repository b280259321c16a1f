"""The page's scripts as a type checker reads them: plain JavaScript, typed by its comments."""

import subprocess
from pathlib import Path

import pytest

from tests.from_registries import node_packages

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "services/router/trunkline_router/dashboard/static"
STRICT = (
    *("--noEmit", "--allowJs", "--checkJs", "--strict", "--noUnusedLocals", "--noUnusedParameters"),
    *("--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler"),
    *("--lib", "es2023,dom,dom.iterable", "--types", ""),
)


@pytest.mark.node
@pytest.mark.timeout(300)
def test_the_scripts_are_sound_in_every_type() -> None:
    """TypeScript's strict mode finds nothing in what we wrote, whatever the browser."""
    scripts = sorted(STATIC.rglob("*.js"))
    ours = [str(path) for path in scripts if "vendor" not in path.relative_to(STATIC).parts]
    declared = [str(path) for path in STATIC.rglob("*.d.ts")]
    assert ours
    tsc = node_packages(HERE).program("typescript", "bin/tsc")
    checked = subprocess.run(
        [*tsc, *STRICT, *ours, *declared], capture_output=True, text=True, check=False
    )
    assert checked.stdout == ""
    assert checked.returncode == 0
