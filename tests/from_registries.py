"""Other people's programs that tests run: installed once each, into the checkout's own folder."""

import fcntl
import hashlib
import importlib.metadata
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from trunkline_cli.environment import variables

ROOT = Path(__file__).parents[1]
KEPT = ROOT / ".trunkline"
NODE_CLIENTS = ROOT / "tests" / "clients" / "typescript"
INSTALL_S = 240


@dataclass(frozen=True, kw_only=True)
class NodePackages:
    """A folder with packages, and the Node.js that comes with them, else the machine's own."""

    folder: Path

    @property
    def node(self) -> str:
        own = self.folder / "node_modules" / "node" / "bin" / "node"
        return str(own) if own.exists() else "node"

    def file(self, package: str, path: str) -> Path:
        """Return where a package's file is."""
        return self.folder / "node_modules" / package / path

    def program(self, package: str, path: str) -> Sequence[str]:
        """Return the command that runs a package's program."""
        return (self.node, str(self.file(package, path)))

    def script(self, name: str) -> Sequence[str]:
        """Return the command that runs a script from beside package.json."""
        return (self.node, str(self.folder / name))


def node_packages(beside: Path = NODE_CLIENTS) -> NodePackages:
    """Return what npm installs for the package.json of a folder, whose scripts are put there too.

    Without npm, skip on a laptop and fail in CI.
    """
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        _lacking("needs Node.js and npm on PATH")
    wanted = (beside / "package.json").read_bytes()
    folder = KEPT / "node" / hashlib.sha256(wanted).hexdigest()[:12]

    def install() -> None:
        (folder / "package.json").write_bytes(wanted)
        _run(npm, "install", "--no-audit", "--no-fund", "--silent", cwd=folder)

    _once(folder, install)
    with _locked(folder):
        # Node.js looks for packages beside the script that asks for them.
        for script in beside.glob("*.mjs"):
            shutil.copy(script, folder)
    return NodePackages(folder=folder)


def python_with(*requirements: str) -> str:
    """Return an interpreter of its own that has these; without uv, skip or fail likewise."""
    uv = _uv()
    digest = hashlib.sha256(" ".join(requirements).encode()).hexdigest()[:12]
    folder = KEPT / "python" / digest
    python = folder / "bin" / "python"

    def install() -> None:
        _run(uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder))
        _run(uv, "pip", "install", "--quiet", "--python", str(python), *requirements)

    _once(folder, install)
    return str(python)


def sdk_example(path: str) -> Path:
    """Return a folder of the SDK's source distribution, of the very version that is installed."""
    uv = _uv()
    name = f"mcp-{importlib.metadata.version('mcp')}"
    folder = KEPT / "sources" / name

    def install() -> None:
        fetch = ("pip", "download", "--quiet", "--no-deps", "--no-binary", "mcp")
        _run(
            *(uv, "tool", "run", "--quiet", "--python", sys.executable),
            *(*fetch, name.replace("-", "=="), "--dest", str(folder)),
        )
        with tarfile.open(folder / f"{name}.tar.gz") as archive:
            archive.extractall(folder, filter="data")

    _once(folder, install)
    return folder / name / path


def _uv() -> str:
    # `make` puts a copy of its own there where none is on PATH.
    found = shutil.which("uv") or shutil.which("uv", path=str(ROOT / ".tools" / "bin"))
    return found or _lacking("needs uv on PATH or in .tools, where make puts it")


def _once(folder: Path, install: Callable[[], None]) -> None:
    """Install, unless another process has or is about to; not to be had is told as lacking."""
    with _locked(folder):
        if (folder / "installed").exists():
            return
        try:
            install()
        except (subprocess.SubprocessError, OSError) as error:
            told = getattr(error, "stderr", b"") or b""
            _lacking(f"could not be installed from the registry: {error} {told.decode()[-500:]}")
        (folder / "installed").touch()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(*command: str, cwd: Path = ROOT) -> None:
    subprocess.run(command, cwd=cwd, check=True, capture_output=True, timeout=INSTALL_S)


def _lacking(reason: str) -> NoReturn:
    if variables().get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
