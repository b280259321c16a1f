"""Where a process sends its spans, and what it costs when nobody takes them."""

import asyncio
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import pytest

from tests.interaction.otlp_receiver import OtlpReceiver, receiving, receiving_grpc
from trunkline_cli.environment import variables
from trunkline_shared.testing.loopback import address, free_socket

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(90)]

SCRIPT = """
import sys
from opentelemetry import trace
from opentelemetry.trace import SpanKind
from trunkline_shared import telemetry

telemetry.set_up("comment", "1.2.3", tells_router=True)
for line in sys.stdin:
    name, _, kind = line.strip().partition(" ")
    with trace.get_tracer("t").start_as_current_span(name, kind=SpanKind[kind or "SERVER"]):
        pass
loaded = {name for name in ("grpc", "requests", "google.protobuf") if name in sys.modules}
print(*sorted(loaded))
telemetry.flush()
"""
PATIENCE_S = 30
GONE = "http://127.0.0.1:9"
SOON = {"OTEL_BSP_SCHEDULE_DELAY": "50", "OTEL_EXPORTER_OTLP_TIMEOUT": "1"}
KEY = "a-mesh-key-that-nobody-knows"
COLLECTORS_SECRET = "a-secret-of-the-collector"


@asynccontextmanager
async def process(env: Mapping[str, str]) -> AsyncIterator[Process]:
    """Start a process that makes a span of each line it is given."""
    kept = {name: value for name, value in variables().items() if name in {"PATH", "LANG"}}
    started = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SCRIPT), env=kept | dict(env), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield started
    finally:
        with suppress(ProcessLookupError):
            started.kill()
        await started.communicate()


async def ended(env: Mapping[str, str], *lines: str) -> tuple[str, str]:
    """Let a process make spans and end; return what it said and complained."""
    async with process(env) as running:
        out, complaint = await running.communicate("".join(f"{one}\n" for one in lines).encode())
    return out.decode(), complaint.decode()


def names(receiver: OtlpReceiver) -> list[str]:
    return [seen.span.name for seen in receiver.spans]


async def make(running: Process, line: str) -> None:
    assert running.stdin is not None
    running.stdin.write(f"{line}\n".encode())
    await running.stdin.drain()


async def complaint(running: Process, part: str) -> list[str]:
    """Read what a process complains of, up to the line that has `part`."""
    assert running.stderr is not None
    lines: list[str] = []
    while line := (await running.stderr.readline()).decode():
        lines.append(line)
        if part in line:
            return lines
    raise AssertionError(f"never complained of {part!r}: {lines}")


@pytest.mark.requirement("seeing.exporters")
async def test_spans_go_over_http_unless_grpc_is_asked_for() -> None:
    """Protobuf over HTTP is the default; nobody pays for the library of the other."""
    async with receiving() as collector:
        loaded, _ = await ended({"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}, "work")
    assert names(collector) == ["work"]
    assert "grpc" not in loaded


@pytest.mark.requirement("seeing.exporters")
@pytest.mark.parametrize("variable", ["OTEL_EXPORTER_OTLP", "OTEL_EXPORTER_OTLP_TRACES"])
async def test_spans_go_over_grpc_when_it_is_asked_for(variable: str) -> None:
    """By the variables for everything, and by those for traces."""
    async with receiving_grpc() as collector:
        env = {
            f"{variable}_ENDPOINT": collector.url,
            f"{variable}_PROTOCOL": "grpc",
            f"{variable}_HEADERS": f"x-key={COLLECTORS_SECRET}",
        }
        _, complaints = await ended(env, "work")
    assert names(collector) == ["work"]
    assert collector.headers[0]["x-key"] == COLLECTORS_SECRET
    assert not complaints


@pytest.mark.requirement("seeing.exporters")
@pytest.mark.parametrize(
    ("variable", "value", "fix"),
    [
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json", "set it to one of these"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "thrift", "set it to one of these"),
        ("OTEL_TRACES_EXPORTER", "zipkin", "set it to otlp or none"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317", "OTEL_EXPORTER_OTLP_PROTOCOL to grpc"),
        ("TRUNKLINE_TRACES_URL", "router", "set it to the router's"),
    ],
)
async def test_a_variable_that_cannot_be_used_is_told_at_the_start(
    variable: str, value: str, fix: str
) -> None:
    """With its name, its value and what to do."""
    _, complaints = await ended({variable: value})
    last = complaints.strip().splitlines()[-1]
    assert "ConfigurationError" in last
    assert variable in last
    assert repr(value) in last
    assert fix in last


@pytest.mark.requirement("seeing.exporters")
@pytest.mark.parametrize(
    "switch", [{"OTEL_SDK_DISABLED": "TRUE"}, {"OTEL_TRACES_EXPORTER": "none"}]
)
async def test_what_is_switched_off_sends_nothing(switch: dict[str, str]) -> None:
    """Neither does it load what would send; with the SDK off the router gets nothing either."""
    async with receiving() as collector:
        env = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **switch}
        if "OTEL_SDK_DISABLED" in switch:
            env["TRUNKLINE_TRACES_URL"] = f"{collector.url}/v1/traces"
        loaded, _ = await ended(env, "work")
    assert not names(collector)
    assert not loaded.split()


@pytest.mark.requirement("seeing.exporters")
@pytest.mark.parametrize(
    ("env", "service"),
    [
        ({}, "comment"),
        ({"OTEL_SERVICE_NAME": "reviews"}, "reviews"),
        ({"OTEL_RESOURCE_ATTRIBUTES": "service.name=notes"}, "notes"),
    ],
)
async def test_what_an_operator_calls_a_process_stands(env: dict[str, str], service: str) -> None:
    """By the standard variables; without them each process has its own name."""
    async with receiving() as collector:
        await ended({"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **env}, "work")
    assert [seen.service for seen in collector.spans] == [service]


@pytest.mark.requirement("seeing.to-router")
async def test_the_router_gets_the_spans_under_the_mesh_key_and_the_collector_under_its_own() -> (
    None
):
    """Each of them its own secret, and none the other's."""
    async with receiving() as collector, receiving() as router:
        env = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_EXPORTER_OTLP_HEADERS": f"x-key={COLLECTORS_SECRET}",
            "TRUNKLINE_TRACES_URL": f"{router.url}/v1/traces",
            "TRUNKLINE_MESH_KEY": KEY,
        }
        await ended(env, "work")
    assert names(collector) == names(router) == ["work"]
    assert router.headers[0]["authorization"] == f"Bearer {KEY}"
    assert collector.headers[0]["x-key"] == COLLECTORS_SECRET
    assert COLLECTORS_SECRET not in str(router.headers)
    assert KEY not in str(collector.headers)


@pytest.mark.requirement("seeing.to-router")
async def test_the_router_gets_a_span_soon_whatever_the_collector_is_told_later() -> None:
    """The collector's rhythm is its own."""
    async with receiving() as router:
        env = {
            "TRUNKLINE_TRACES_URL": f"{router.url}/v1/traces",
            "OTEL_BSP_SCHEDULE_DELAY": "600000",
        }
        async with process(env) as running, asyncio.timeout(PATIENCE_S):
            await make(running, "work")
            await router.when(lambda: names(router) == ["work"])
            await make(running, "more")
            await router.when(lambda: names(router) == ["work", "more"])


@pytest.mark.requirement("seeing.own-looks")
async def test_what_nobody_asked_for_leaves_no_trace() -> None:
    """A trace begins with a request; a server's own work between requests is in none."""
    async with receiving() as collector:
        env = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        await ended(env, "look INTERNAL", "ask CLIENT", "work")
        await ended(env | {"OTEL_TRACES_SAMPLER": "always_on"}, "chosen INTERNAL")
    assert names(collector) == ["work", "chosen"]


async def arrived(running: Process, receiver: OtlpReceiver, within_s: float) -> bool:
    """Make another span, and say whether one was received in that time."""
    await make(running, "found")
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            await receiver.when(lambda: bool(names(receiver)))
    return bool(names(receiver))


@pytest.mark.requirement("seeing.lost-spans")
@pytest.mark.parametrize("to", ["OTEL_EXPORTER_OTLP_ENDPOINT", "TRUNKLINE_TRACES_URL"])
async def test_an_outage_is_told_once_and_its_end_once(to: str) -> None:
    """However many batches are lost meanwhile, and without what is sent along."""
    with free_socket() as taken:
        url = address(taken)
    env = {
        to: url + ("/v1/traces" if to == "TRUNKLINE_TRACES_URL" else ""),
        "TRUNKLINE_MESH_KEY": KEY,
        "OTEL_EXPORTER_OTLP_HEADERS": f"x-key={COLLECTORS_SECRET}",
        **SOON,
    }
    async with process(env) as running, asyncio.timeout(PATIENCE_S):
        await make(running, "lost")
        told = await complaint(running, "traces are lost")
        await make(running, "lost-as-well")
        async with receiving(urlsplit(url).port or 0) as receiver:
            while not await arrived(running, receiver, within_s=1):
                pass
            told += await complaint(running, "takes traces again")
            out, rest = await running.communicate(b"")
    assert sum("traces are lost" in line for line in told) == 1
    assert len(told) == 2
    assert urlsplit(url).netloc in told[0]
    assert not rest
    assert KEY not in str((told, out))
    assert COLLECTORS_SECRET not in str((told, out))


@pytest.mark.requirement("seeing.lost-spans")
async def test_a_router_that_knows_no_such_page_is_no_news() -> None:
    """An older one answers 404."""
    async with receiving() as router:
        _, complaints = await ended({"TRUNKLINE_TRACES_URL": f"{router.url}/unknown"}, "work")
    assert not complaints


@pytest.mark.requirement("seeing.lost-spans")
@pytest.mark.parametrize("protocol", ["http/protobuf", "grpc"])
async def test_receivers_that_hang_hold_up_neither_work_nor_end(protocol: str) -> None:
    """Ten thousand spans are made and the process ends within its second, with both hung."""
    with free_socket() as collector, free_socket() as router:
        env = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": address(collector),
            "OTEL_EXPORTER_OTLP_PROTOCOL": protocol,
            "TRUNKLINE_TRACES_URL": f"{address(router)}/v1/traces",
        }
        async with process(env) as running:
            assert running.stdin is not None
            assert running.stdout is not None
            running.stdin.write(b"work\n" * 10_000)
            running.stdin.write_eof()
            await running.stdout.readline()
            began = time.monotonic()
            await running.wait()
            took = time.monotonic() - began
            assert running.stderr is not None
            said = (await running.stderr.read()).decode().splitlines()
    assert took < 2.5
    # A queue that is full, a batch that is tried again: each would be a line of the SDK's.
    assert all("traces are lost" in line for line in said)
    assert len(said) <= 2
