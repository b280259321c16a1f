"""A package that is deferred: its submodules are had without it, and it is had when asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

FILES = {
    "__init__.py": "print('whole'); from parcel.heavy import Weight",
    "heavy.py": "print('heavy')\nclass Weight: ...",
    "light.py": "print('light')",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package whose `__init__` imports more than each of its modules needs."""
    package = tmp_path / "parcel"
    package.mkdir()
    for name, text in FILES.items():
        (package / name).write_text(text, encoding="utf-8")
    return tmp_path


def said(folder: Path, script: str) -> list[str]:
    """Run a script that has deferred the package; return its lines."""
    deferred = f"from trunkline_shared.deferral import defer; defer('parcel')\n{script}"
    done = subprocess.run(
        [sys.executable, "-c", deferred],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("script", "lines"),
    [
        ("import parcel.light", ["light"]),
        ("import parcel", []),
        ("from parcel import light", ["whole", "heavy", "light"]),
        ("import parcel.light; parcel.Weight", ["light", "whole", "heavy"]),
        ("from parcel import Weight", ["whole", "heavy"]),
        ("import parcel; parcel.Weight; parcel.Weight", ["whole", "heavy"]),
        ("import parcel; print(hasattr(parcel, 'none'))", ["whole", "heavy", "False"]),
        (
            "import parcel; print(parcel.__spec__.loader.get_filename() == parcel.__file__)",
            ["True"],
        ),
    ],
)
def test_it_runs_when_something_of_its_own_is_asked_for(
    folder: Path, script: str, lines: list[str]
) -> None:
    """Once, and not for what another module of it has."""
    assert said(folder, script) == lines


def test_a_package_that_is_there_already_stays_as_it_is(folder: Path) -> None:
    """Whoever came first has run it."""
    script = "import parcel; parcel.Weight; defer('parcel'); import parcel.light"
    assert said(folder, script) == ["whole", "heavy", "light"]


def test_of_the_sdk_a_router_imports_no_server_and_no_client() -> None:
    """It speaks the protocol itself; the SDK's functions on headers are all that it shares."""
    script = (
        "import sys; from trunkline_shared.launch import imported;"
        "imported('trunkline_router.app');"
        "print(*{'mcp.client', 'mcp.server', 'starlette', 'uvicorn', 'httpx2'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == []
