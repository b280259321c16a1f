"""What each container needs: start, memory idle and under 50 callers, CPU per 1,000 calls.

Each program runs by itself, in front of the demo's stand-ins; the router also with its cache full.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import OK, HTTPConnection
from os import sysconf
from pathlib import Path

import orjson
import yaml

from bench.load import open_asker
from bench.operations import Operation
from trunkline_cli.demo import demo_environment
from trunkline_router.configuration.settings import BUILT_IN
from trunkline_shared.testing.demo import BASECAMP, ENTERPRISE, GITHUB, HEALTH, JIRA
from trunkline_shared.testing.loopback import free_socket

CALLERS, CALLS_EACH = 50, 20
MEGABYTES = 320
READY_S = 60.0
REPOSITORY = {"owner": "acme", "repo": "widgets"}
ORIGINS = {
    "github": f"http://127.0.0.1:{GITHUB}{ENTERPRISE}",
    "basecamp": f"http://127.0.0.1:{BASECAMP}",
    "jira": f"http://127.0.0.1:{JIRA}",
}
READS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "github_comment": ("list_comments", {**REPOSITORY, "issue_number": 1}),
    "github_inline_comment": ("get_commentable_lines", {**REPOSITORY, "pr_number": 2}),
    "github_ci": ("get_ci_status", {**REPOSITORY, "pr_number": 2}),
    "github": ("github_get_issue", {**REPOSITORY, "issue_number": 1}),
    "basecamp": ("list_projects", {}),
    "jira": ("get_jira_issue", {"issue_key": "WID-2"}),
    "twig": ("get_current_branch", {}),
    "bridge": ("is_server_available", {"serverName": "jira"}),
}
"""A read of each server; the router answers that of the first one from its cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A running program and what its start took; seconds."""

    process: "subprocess.Popen[bytes]"
    port: int
    wall_s: float
    start_cpu_s: float

    def cpu_s(self) -> float:
        return _cpu_s(self.process.pid)

    def memory_mb(self) -> float:
        """What it holds by itself: shared pages of files are nobody's in particular."""
        rollup = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(encoding="utf-8")
        pss = next(line for line in rollup.splitlines() if line.startswith("Pss:"))
        return int(pss.split()[1]) / 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one container needs; seconds and MiB."""

    container: str
    wall_s: float
    start_cpu_s: float
    idle_mb: float
    busy_mb: float
    cpu_s: float

    def __str__(self) -> str:
        start = f"{self.wall_s:6.2f} s {self.start_cpu_s:7.2f} s"
        memory = f"{self.idle_mb:7.0f} MiB {self.busy_mb:9.0f} MiB"
        return f"{self.container:16}{start}{memory}{self.cpu_s:12.2f} s"


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with free_socket() as probe:
        return int(probe.getsockname()[1])


@contextmanager
def started(*words: str, port: int, ready: str, **variables: str) -> Iterator[Program]:
    """Run `python -m WORDS...` until the end of the block; yields it once it is ready."""
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        env={"PATH": "/usr/bin:/bin", "HOME": tempfile.gettempdir(), **variables},
        stderr=subprocess.DEVNULL,
    )
    try:
        while not _is_ready(port, ready):
            if time.monotonic() - began > READY_S or process.poll() is not None:
                raise RuntimeError(f"{' '.join(words)} does not become ready")
            time.sleep(0.02)
        took = time.monotonic() - began
        cpu_s = _cpu_s(process.pid)
        yield Program(process=process, port=port, wall_s=took, start_cpu_s=cpu_s)
    finally:
        process.terminate()
        process.wait()


def _is_ready(port: int, path: str) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == OK
    except OSError:
        return False
    finally:
        connection.close()


async def _called(port: int, operation: Operation, times: int) -> None:
    askers = [await open_asker(port, operation) for _ in range(CALLERS)]
    async with asyncio.TaskGroup() as tasks:
        for asker in askers:
            tasks.create_task(asker.ask(times, []))
    for asker in askers:
        asker.writer.close()


def measured(container: str, program: Program, operation: Operation) -> Row:
    """Measure a program idle, then under its callers."""
    idle_mb = program.memory_mb()
    asyncio.run(_called(program.port, operation, 1))
    before = program.cpu_s()
    asyncio.run(_called(program.port, operation, CALLS_EACH))
    cpu_s = (program.cpu_s() - before) * 1000 / (CALLERS * CALLS_EACH)
    return Row(
        container=container,
        wall_s=program.wall_s,
        start_cpu_s=program.start_cpu_s,
        idle_mb=idle_mb,
        busy_mb=program.memory_mb(),
        cpu_s=cpu_s,
    )


def reading(server: str, expected: str = '"isError":false') -> Operation:
    name, arguments = READS[server]
    params = {"name": name, "arguments": arguments}
    return Operation(method="tools/call", params=params, expected=expected, name=name)


def fill(port: int) -> None:
    """Have the router read more megabytes than its cache may keep, each of them once."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    for number in range(MEGABYTES):
        params = {"name": "large", "arguments": {"number": number}}
        raw = Operation(method="tools/call", params=params, expected="", name="large")
        head, _, body = raw.to_bytes(port).partition(b"\r\n\r\n")
        lines = (line.decode().partition(": ") for line in head.split(b"\r\n")[1:])
        connection.request("POST", "/mcp", body, {name: value for name, _, value in lines})
        if orjson.loads(connection.getresponse().read()).get("result", {}).get("isError"):
            raise RuntimeError("the upstream refuses")
    connection.close()


@contextmanager
def upstream() -> Iterator[int]:
    """Run a server whose answers are a megabyte each; yields its port."""
    words = [sys.executable, "-m", "bench.subjects", "bare"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, text=True, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())
        process.terminate()


def configuration(port: int, folder: str) -> str:
    """Write a `trunkline.yaml` that names that server; returns its path."""
    reads = {"large": {"reads": {"ttl_s": 600, "tags": ["bench:all"]}}}
    server = {"url": f"http://127.0.0.1:{port}/mcp", "policy": reads}
    path = Path(folder) / "trunkline.yaml"
    path.write_text(yaml.safe_dump({"servers": {"large": server}}), encoding="utf-8")
    return str(path)


def main() -> None:
    """Print the table."""
    print(f"{'container':16}   start   its CPU       idle    50 callers     CPU/1,000")
    environment = demo_environment({}, ORIGINS) | {"TRUNKLINE_REPO_PATH": str(Path.cwd())}
    with ExitStack() as stack:
        stack.enter_context(
            started(
                "trunkline_shared.testing.demo",
                "--name",
                "127.0.0.1",
                port=HEALTH,
                ready="/healthz",
            )
        )
        servers: dict[str, Program] = {}
        for server, known in BUILT_IN.items():
            port = _free_port()
            module = f"trunkline_{known.container.replace('-', '_')}"
            variables = environment | {"TRUNKLINE_SERVICE_PORT": str(port)}
            program = started(module, port=port, ready="/readyz", **variables)
            servers[server] = stack.enter_context(program)
            # Fifty callers of a busy machine's git may hear of a timeout.
            read = reading(server, "isError")
            print(measured(known.container, servers[server], read), flush=True)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        port = _free_port()
        urls = {server: f"http://127.0.0.1:{one.port}/mcp" for server, one in servers.items()}
        router = stack.enter_context(
            started(
                "trunkline_router",
                port=port,
                ready="/readyz",
                TRUNKLINE_PORT=str(port),
                TRUNKLINE_CONFIG=configuration(stack.enter_context(upstream()), folder),
                TRUNKLINE_SERVER_URLS=",".join(f"{id_}={url}" for id_, url in urls.items()),
            )
        )
        print(measured("router, hits", router, reading("github_comment")), flush=True)
        fill(port)
        print(f"router with its cache full: {router.memory_mb():.0f} MiB")


if __name__ == "__main__":
    main()
