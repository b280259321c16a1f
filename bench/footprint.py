"""What each container needs: start, memory idle and under 50 callers, CPU per 1,000 calls.

Each program runs by itself on one processor, in front of the demo's stand-ins; the router also
with its cache full.
"""

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import orjson
import yaml

from bench.containers import Kind, Program, often, started
from bench.findings import Findings, Limit, Table
from bench.load import open_asker
from bench.operations import Operation
from bench.report.terminal import show
from trunkline_cli.demo import demo_environment
from trunkline_router.configuration.settings import BUILT_IN
from trunkline_shared.testing.demo import BASECAMP, ENTERPRISE, GITHUB, HEALTH, JIRA

CALLERS, CALLS_EACH = 50, 20
MEGABYTES = 320
START_S = 2.0
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
class Row:
    """What one container needs; seconds and MiB."""

    container: str
    wall_s: float
    start_cpu_s: float
    idle_mb: float
    busy_mb: float
    cpu_s: float

    @property
    def cells(self) -> tuple[str, float, float, int, int, float]:
        start = round(self.wall_s, 2), round(self.start_cpu_s, 2)
        memory = round(self.idle_mb), round(self.busy_mb)
        return (self.container, *start, *memory, round(self.cpu_s, 2))

    @property
    def limit(self) -> Limit:
        what = f"start of {self.container} on one processor"
        return Limit(what=what, value=self.wall_s, most=START_S, unit="s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A program that still runs, and what it needs."""

    program: Program
    row: Row


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


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Start each container's program some times, and put its callers on the last one."""
    starts = 1 if quick else 5
    with ExitStack() as stack:
        servers = dict(_servers(stack, starts))
        urls = {id_: f"http://127.0.0.1:{one.program.port}/mcp" for id_, one in servers.items()}
        router = _router(stack, starts, urls)
        full = "" if quick else _filled(router.program)
    rows = [one.row for one in (*servers.values(), router)]
    return Findings(
        title="What each container needs",
        about=(
            "Each program by itself on one processor, in front of the demo's stand-ins: its start "
            "until `/readyz` answers 200, the median of several; memory, as proportional set size, "
            f"idle and under {CALLERS} callers; processor time of 1,000 calls of a read, which are "
            "hits of the cache at the router and requests to the vendor at a server."
        ),
        tables=[
            Table(
                title="Seconds, and MiB",
                columns=("", "start", "its CPU", "idle", f"{CALLERS} callers", "CPU per 1,000"),
                rows=[row.cells for row in rows],
                note=full,
            )
        ],
        limits=[row.limit for row in rows],
        left_out=["the router with its cache full"] if quick else [],
    )


def _servers(stack: ExitStack, starts: int) -> Iterator[tuple[str, Measured]]:
    environment = demo_environment({}, ORIGINS) | {"TRUNKLINE_REPO_PATH": str(Path.cwd())}
    demo = ("trunkline_shared.testing.demo", "--name", "127.0.0.1")
    stack.enter_context(started(*demo, port=HEALTH, ready="/healthz"))
    for server, known in BUILT_IN.items():
        module = f"trunkline_{known.container.replace('-', '_')}"
        # Fifty callers of a busy machine's git may hear of a timeout.
        read = reading(server, "isError")
        kind = Kind(container=known.container, module=module, variable="TRUNKLINE_SERVICE_PORT")
        yield server, _measured(stack, kind, environment, read, starts)


def _router(stack: ExitStack, starts: int, urls: Mapping[str, str]) -> Measured:
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    variables = {
        "TRUNKLINE_CONFIG": configuration(stack.enter_context(upstream()), folder),
        "TRUNKLINE_SERVER_URLS": ",".join(f"{id_}={url}" for id_, url in urls.items()),
    }
    kind = Kind(container="router, hits", module="trunkline_router", variable="TRUNKLINE_PORT")
    return _measured(stack, kind, variables, reading("github_comment"), starts)


def _measured(
    stack: ExitStack, kind: Kind, variables: Mapping[str, str], read: Operation, starts: int
) -> Measured:
    program = often(stack, kind, variables, starts)
    return Measured(program=program, row=measured(kind.container, program, read))


def _filled(router: Program) -> str:
    fill(router.port)
    return f"The router with its cache full: {router.memory_mb():.0f} MiB."


def main() -> int:
    """Print the figures; returns 1 if a limit is missed."""
    found = findings(quick="--quick" in sys.argv[1:])
    show(found)
    return int(not all(limit.met for limit in found.limits))


if __name__ == "__main__":
    sys.exit(main())
