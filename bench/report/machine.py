"""What a run was measured on, as far as it explains the figures."""

import os
import platform
import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from bench.programs import installed
from trunkline_shared.clock import SystemClock

LIBRARIES = ("aiohttp", "uvloop", "orjson", "mcp", "uvicorn", "redis")
_PROGRAMS = {"nginx": "-v", "redis-server": "--version"}
_VERSION = re.compile(r"\d+(?:\.\d+)+")


def circumstances() -> Mapping[str, str]:
    """Return the day, the machine and all versions that matter."""
    return {
        "date": datetime.fromtimestamp(SystemClock().now(), UTC).date().isoformat(),
        "machine": f"{_processor()}, {len(os.sched_getaffinity(0))} cores, {_memory()}",
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}",
        "Python": platform.python_version(),
        **{library: version(library) for library in LIBRARIES},
        **{program: found for program in _PROGRAMS if (found := _version_of(program))},
    }


def _processor() -> str:
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    found = re.search(r"(?m)^model name\s*: (.+)$", text)
    return found[1] if found else platform.machine()


def _memory() -> str:
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return f"{pages / 2**30:.0f} GiB"


def _version_of(program: str) -> str:
    path = installed(program)
    if path is None:
        return ""
    done = subprocess.run([path, _PROGRAMS[program]], capture_output=True, text=True, check=False)
    found = _VERSION.search(done.stdout + done.stderr)
    return found[0] if found else ""
