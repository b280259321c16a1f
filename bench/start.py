"""What a start of the local mesh takes: time, processor time, memory.

`trunkline run`, which `make run` is once it is installed, until it says that it is ready and
`/readyz` agrees; its processor time beside an import of the libraries alone, in the same rounds.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from bench.cpu import children_of, cpu_of
from bench.findings import Findings, Limit, Table
from bench.pss import pss_of
from bench.report.terminal import show

READY_S, MEGABYTES, IMPORTS = 3.0, 250, 3.0
_LONGEST_S = 60.0
_READINGS = 10
_TRUNKLINE = Path(sys.executable).with_name("trunkline")
_LIBRARIES = "import aiohttp, mcp.server.mcpserver, opentelemetry.sdk.trace, uvicorn, uvloop, time"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One start until the mesh is ready, seconds; memory is MB, of all its processes."""

    wall_s: float
    router_cpu_s: float
    servers_cpu_s: float
    megabytes: float
    imports_cpu_s: float


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Start the mesh some times, each after an import of the libraries."""
    starts = [_measured() for _ in range(1 if quick else 7)]
    wall = [start.wall_s for start in starts]
    memory = [start.megabytes for start in starts]
    router = [start.router_cpu_s for start in starts]
    servers = [start.servers_cpu_s for start in starts]
    imports = [start.imports_cpu_s for start in starts]
    dearest = statistics.median(
        max(one.router_cpu_s, one.servers_cpu_s) / one.imports_cpu_s for one in starts
    )
    return Findings(
        title="The start of the local mesh",
        about=(
            "`trunkline run` with all eight servers, from the command until it has said that it is "
            "ready and `/readyz` answers 200. Memory is the proportional set size of its processes."
        ),
        tables=[
            Table(
                title="Seconds, and MB",
                columns=("", "median", "least", "most"),
                rows=[
                    ("until ready", *_spread(wall)),
                    ("processor time of the router's process", *_spread(router)),
                    ("processor time of the servers' process", *_spread(servers)),
                    ("processor time of importing the libraries alone", *_spread(imports)),
                    ("memory, MB", *_spread(memory)),
                ],
            )
        ],
        limits=[
            Limit(
                what="`make run`, once installed, until it is ready",
                value=statistics.median(wall),
                most=READY_S,
                unit="s",
            ),
            Limit(
                what="memory of the local mesh",
                value=statistics.median(memory),
                most=MEGABYTES,
                unit="MB",
            ),
            Limit(
                what="processor time of its larger process, in imports of the libraries",
                value=dearest,
                most=IMPORTS,
                unit="x",
            ),
        ],
    )


def _spread(values: list[float]) -> tuple[float, float, float]:
    found = (statistics.median(values), min(values), max(values))
    return round(found[0], 2), round(found[1], 2), round(found[2], 2)


def _measured() -> Start:
    imports_cpu_s = _imports_cpu_s()
    with tempfile.TemporaryDirectory() as home:
        began = time.monotonic()
        with _run(Path(home)) as run:
            _until_ready(run)
            wall_s = time.monotonic() - began
            servers_cpu_s = _steady(cpu_of, _servers_of(run.pid))
            return Start(
                wall_s=wall_s,
                router_cpu_s=_steady(cpu_of, run.pid) - servers_cpu_s,
                servers_cpu_s=servers_cpu_s,
                megabytes=_steady(pss_of, run.pid) / 1e6,
                imports_cpu_s=imports_cpu_s,
            )


def _imports_cpu_s() -> float:
    program = f"{_LIBRARIES}; print(time.process_time())"
    return float(subprocess.check_output([sys.executable, "-c", program]))


@contextmanager
def _run(home: Path) -> Iterator["subprocess.Popen[str]"]:
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "TRUNKLINE_PORT": "0"}
    with subprocess.Popen(
        [_TRUNKLINE, "run"], cwd=home, env=environment, stdout=subprocess.PIPE, text=True
    ) as run:
        try:
            yield run
        finally:
            run.terminate()


def _until_ready(run: "subprocess.Popen[str]") -> None:
    assert run.stdout is not None
    for line in run.stdout:
        if line.startswith("Ready in"):
            url = line.split()[5].removesuffix("/mcp")
            with urlopen(f"{url}/readyz", timeout=_LONGEST_S) as answer:  # noqa: S310 - our own URL
                assert answer.status == 200  # noqa: PLR2004 - HTTP's own
            return
    raise RuntimeError("the mesh did not start")


def _servers_of(run: int) -> int:
    """Return the process of the servers, which is the only one that the router's starts."""
    (servers,) = children_of(run)
    return servers


def _steady(read: Callable[[int], float], pid: int) -> float:
    """Read of a process and its children while none of them ends: git does, now and then."""
    for _ in range(_READINGS):
        with suppress(OSError):
            return read(pid)
    raise RuntimeError(f"process {pid} cannot be read")


def main() -> int:
    """Print the figures; returns 1 if a limit is missed."""
    found = findings(quick="--quick" in sys.argv[1:])
    show(found)
    return int(not all(limit.met for limit in found.limits))


if __name__ == "__main__":
    sys.exit(main())
