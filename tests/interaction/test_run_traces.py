"""One trace per call through the whole mesh, as a collector on a socket receives it."""

import asyncio
from pathlib import Path

import pytest
from mcp import Client
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.interaction.otlp_receiver import Seen, receiving, receiving_grpc
from tests.interaction.traced_run import is_whole, traced_run
from tests.interaction.trunkline_process import environment, started
from tests.interaction.wire import get
from tests.redis_process import RedisProcess
from trunkline_shared.testing.loopback import address, free_socket

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

ROOT = Path(__file__).parents[2]
END_S = 3
CALL = "dev.trunkline/call"


def step(seen: Seen) -> tuple[str, str, str]:
    return (
        seen.service,
        Span.SpanKind.Name(seen.span.kind).removeprefix("SPAN_KIND_"),
        seen.span.name,
    )


def parents(spans: list[Seen]) -> list[tuple[tuple[str, str, str], tuple[str, str, str] | None]]:
    """Return each step of a trace with the one that it hangs under."""
    by_id = {seen.span.span_id: step(seen) for seen in spans}
    return [(step(seen), by_id.get(seen.span.parent_span_id)) for seen in spans]


@pytest.mark.requirement("router.trace")
async def test_a_call_is_one_trace_from_the_router_to_git(tmp_path: Path) -> None:
    """The router's span, its request to the server, the server's span and each git command."""
    async with receiving() as collector:
        env = environment(tmp_path) | {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }
        async with (
            started("run", env=env, cwd=ROOT) as running,
            asyncio.timeout(60),
        ):
            url = await running.url()
            async with Client(f"{url}/mcp") as client:
                result = await client.call_tool("get_current_branch", {})
            assert result.meta is not None
            spans = await collector.until(6, result.meta[CALL]["trace_id"])
    tool = "tools/call get_current_branch"
    edge, asked, served = (
        ("router", "SERVER", tool),
        ("router", "CLIENT", tool),
        ("servers", "SERVER", tool),
    )
    tree = parents(spans)
    assert {(edge, None), (asked, edge), (served, asked)} <= set(tree)
    gits = [parent for (_, _, name), parent in tree if name.startswith("git ")]
    assert len(gits) == len(tree) - 3 >= 2
    assert set(gits) == {served}


@pytest.mark.requirement("seeing.exporters")
async def test_both_processes_of_a_run_reach_a_collector_over_grpc(tmp_path: Path) -> None:
    """The router's spans and the servers' are of one trace there."""
    async with receiving_grpc() as collector:
        env = environment(tmp_path) | {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
            "OTEL_BSP_SCHEDULE_DELAY": "100",
            "TRUNKLINE_SERVERS": "twig",
        }
        async with started("run", env=env, cwd=ROOT) as running, asyncio.timeout(60):
            url = await running.url()
            async with Client(f"{url}/mcp") as client:
                result = await client.call_tool("get_current_branch", {})
            assert result.meta is not None
            trace_id = result.meta[CALL]["trace_id"]
            served = await collector.served_by("servers", trace_id)
            await collector.until(5, trace_id)
    assert served.attributes["trunkline.server"] == "twig"
    assert {seen.service for seen in collector.of(trace_id)} == {"router", "servers"}


@pytest.mark.requirement("context.defaults")
async def test_a_read_on_a_laptop_knows_the_checkouts_repository(tmp_path: Path) -> None:
    """The host finds it, the router fills it in, and the trace says which arguments it found."""
    async with receiving() as collector:
        env = environment(tmp_path) | {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }
        async with started("run", "--demo", env=env, cwd=ROOT) as running, asyncio.timeout(60):
            url = await running.url()
            async with Client(f"{url}/mcp") as client:
                result = await client.call_tool("list_comments", {"issue_number": 1})
            assert not result.is_error
            assert result.meta is not None
            edge = await collector.served_by("router", result.meta[CALL]["trace_id"])
    attributes = {one.key: one.value.string_value for one in edge.span.attributes}
    assert attributes["trunkline.defaulted"] == "owner,repo"


@pytest.mark.requirement("router.trace")
async def test_a_hung_collector_costs_no_call(tmp_path: Path) -> None:
    """Calls are answered and the mesh ends in time while nobody takes the spans."""
    with free_socket() as hung:
        env = environment(tmp_path) | {"OTEL_EXPORTER_OTLP_ENDPOINT": address(hung)}
        async with started("run", env=env, cwd=ROOT) as running, asyncio.timeout(60):
            url = await running.url()
            async with Client(f"{url}/mcp") as client:
                result = await client.call_tool("get_current_branch", {})
                assert not result.is_error
            running.process.terminate()
            async with asyncio.timeout(END_S):
                await running.process.wait()


@pytest.mark.requirement("seeing.disabled")
async def test_tracing_can_be_switched_off(tmp_path: Path) -> None:
    """Calls are answered as ever, each with the id of a trace that nobody has."""
    env = environment(tmp_path) | {"OTEL_SDK_DISABLED": "true"}
    async with started("run", env=env, cwd=ROOT) as running, asyncio.timeout(60):
        url = await running.url()
        async with Client(f"{url}/mcp") as client:
            result = await client.call_tool("get_current_branch", {})
        assert not result.is_error
        assert result.meta is not None
        port = int(url.rpartition(":")[2])
        kept = await get(port, "/api/traces")
        known = await get(port, f"/api/traces/{result.meta[CALL]['trace_id']}")
        metrics = await get(port, "/metrics")
    assert (kept.json["traces"], known.status) == ([], 404)
    assert b"mcp_server_operation_duration_seconds_bucket" not in metrics.body


@pytest.mark.requirement("seeing.servers-store")
async def test_a_servers_wait_for_redis_is_a_step_of_the_calls_trace(
    tmp_path: Path, redis_process: RedisProcess
) -> None:
    """Under the server's own span; and the vendor's is beside it."""
    url = redis_process.settings.redis_url.get_secret_value()
    async with traced_run(tmp_path, {"TRUNKLINE_REDIS_URL": url}) as traced, asyncio.timeout(60):
        async with traced.client() as client:
            with traced.span("tools/call list_comments") as trace_id:
                result = await client.call_tool("list_comments", {"issue_number": 1})
        assert not result.is_error, result.content
        await traced.collector.when(lambda: is_whole(traced.traces().get(trace_id, [])))
        trace = traced.collector.of(trace_id)
    (served,) = [each for each in trace if step(each)[:2] == ("servers", "SERVER")]
    below = [each for each in trace if each.span.parent_span_id == served.span.span_id]
    asked = [each.attributes.get("db.operation.name") for each in below]
    assert {"GET", "SET"} <= set(asked)
    assert [each.span.name.split()[0] for each in below if "url.template" in each.attributes]
