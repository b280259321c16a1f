"""What a start of the local mesh costs in processor time, beside an import of its libraries.

Either process of `trunkline run` until the mesh is ready, as a ratio to what importing the
libraries alone takes in the same run.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.request import urlopen

RATIO = 3.0
READY_S = 60.0
_TRUNKLINE = Path(sys.executable).with_name("trunkline")
_LIBRARIES = "import aiohttp, mcp.server.mcpserver, opentelemetry.sdk.trace, uvicorn, uvloop, time"
_TICKS = 100


def main() -> int:
    """Print the figures; returns 1 if a process takes more than `RATIO` imports."""
    libraries = _libraries_s()
    with tempfile.TemporaryDirectory() as home:
        spent = _start_s(Path(home))
    ratio = max(spent) / libraries
    print(f"import of the libraries   {libraries:6.2f} s")
    print(f"router's process          {spent[0]:6.2f} s")
    print(f"servers' process          {max(spent[1:]):6.2f} s")
    print(f"the larger one: {ratio:.2f} imports (at most {RATIO})")
    return int(ratio > RATIO)


def _libraries_s() -> float:
    program = f"{_LIBRARIES}; print(time.process_time())"
    return float(subprocess.check_output([sys.executable, "-c", program]))


def _start_s(home: Path) -> list[float]:
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "TRUNKLINE_PORT": "0"}
    with subprocess.Popen(
        [_TRUNKLINE, "run"], cwd=home, env=environment, stdout=subprocess.PIPE, text=True
    ) as run:
        try:
            assert run.stdout is not None
            url = next(_urls(run.stdout))
            with urlopen(f"{url}/readyz", timeout=READY_S) as answer:  # noqa: S310 - our own URL
                assert answer.status == 200  # noqa: PLR2004 - HTTP's own
            return [_cpu_s(pid) for pid in (run.pid, *_children(run.pid))]
        finally:
            run.terminate()


def _urls(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if line.startswith("Ready in"):
            yield line.split()[5].removesuffix("/mcp")


def _children(pid: int) -> list[int]:
    told = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    return [int(child) for child in told.split()]


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


if __name__ == "__main__":
    sys.exit(main())
