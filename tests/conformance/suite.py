"""The official conformance suite against a URL: what it ran, and what it found."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from tests.from_registries import ROOT, NodePackages, sdk_example
from tests.interaction.mesh import routing
from trunkline_router.adapters.live_catalog import Pace
from trunkline_router.composition.plan import Terms

_SUITE = ("@modelcontextprotocol/conformance", "dist/index.js")
_FAILURE = "FAILURE"
_LOOKING_S = 30.0


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """How a run ended: the program's exit code, and each scenario's failed checks."""

    code: int
    failures: Mapping[str, tuple[str, ...]]
    said: str = field(repr=False)

    @property
    def passed(self) -> frozenset[str]:
        return frozenset(name for name, failed in self.failures.items() if not failed)

    @property
    def told(self) -> str:
        """Say what failed, for whoever has to mend it."""
        failed = {name: checks for name, checks in self.failures.items() if checks}
        lines = [f"{name}: {check}" for name, checks in failed.items() for check in checks]
        return f"exit {self.code}, {len(self.passed)} of {len(self.failures)} passed\n" + (
            "\n".join(lines) or self.said[-2000:]
        )


async def judged(packages: NodePackages, results: Path, *arguments: str) -> Verdict:
    """Run the suite: `server --url ...` or `client --command ...`."""
    process = await asyncio.create_subprocess_exec(
        *(*packages.program(*_SUITE), *arguments, "--output-dir", str(results)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode is not None
    return Verdict(code=process.returncode, failures=_found(results), said=said.decode())


def _found(results: Path) -> Mapping[str, tuple[str, ...]]:
    return {_scenario(file): _failed(file) for file in sorted(results.glob("*/checks.json"))}


def _scenario(file: Path) -> str:
    """Return the scenario of a folder such as `server-ping-2026-11-22T10-00-00-000Z`."""
    return file.parent.name.removeprefix("server-").partition("-20")[0]


def _failed(file: Path) -> tuple[str, ...]:
    checks = orjson.loads(file.read_bytes())
    return tuple(
        f"{check['id']}: {check.get('errorMessage', '')}"
        for check in checks
        if check["status"] == _FAILURE
    )


@asynccontextmanager
async def before(url: str) -> AsyncIterator[str]:
    """Run a router in front of the server `everything`, and let it look first; yields its URL."""
    unhurried = Terms(pace=Pace(foreign_budget_s=_LOOKING_S))
    urls = {"everything": url}
    async with routing({}, terms=unhurried, settled=False, server_urls=urls) as mesh:
        async with asyncio.timeout(_LOOKING_S):
            await mesh.catalog.wait_sought()
        yield mesh.url


@contextmanager
def everything(*flags: str) -> Iterator[str]:
    """Run the SDK's everything-server; yields its URL."""
    folder = sdk_example("examples/servers/everything-server")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.conformance.everything", str(folder), *flags],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield f"{process.stdout.readline().strip()}/mcp"
    finally:
        process.terminate()
        process.communicate()
