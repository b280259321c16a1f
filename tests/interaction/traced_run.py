"""A real `trunkline run` under real clients, with a collector, and vendors that can be read."""

import asyncio
import json
from asyncio import StreamReader
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Tracer, format_trace_id

from tests.interaction.otlp_receiver import OtlpReceiver, Seen, receiving
from tests.interaction.trunkline_process import Running, environment, started
from tests.interaction.wire import get
from trunkline_shared.testing.git_repository import GitRepository
from trunkline_shared.testing.github import Demo, GitHubStandIn
from trunkline_shared.testing.github import seed_demo as seed_github
from trunkline_shared.testing.github.demo import FULL_NAME
from trunkline_shared.testing.jira import JiraStandIn
from trunkline_shared.testing.jira import seed_demo as seed_jira

SERVERS = "github_comment,github_ci,github,jira,twig"
CLIENT = "client"
PATIENCE_S = 120
SERVER_SPAN, CLIENT_SPAN = Span.SpanKind.SPAN_KIND_SERVER, Span.SpanKind.SPAN_KIND_CLIENT


@dataclass(frozen=True, kw_only=True)
class Traced:
    """A mesh with everything that tells of its calls."""

    url: str
    collector: OtlpReceiver
    github: GitHubStandIn
    jira: JiraStandIn
    demo: Demo
    tracer: Tracer
    lines: list[Mapping[str, Any]] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)

    @contextmanager
    def span(self, name: str) -> Iterator[str]:
        """Be a client that traces what it does in the block; yields the trace's id."""
        with self.tracer.start_as_current_span(name, kind=SpanKind.CLIENT) as span:
            trace_id = format_trace_id(span.get_span_context().trace_id)
            self.begun.append(trace_id)
            yield trace_id

    @asynccontextmanager
    async def client(self, path: str = "/mcp", mode: str = "auto") -> AsyncIterator[Client]:
        """Connect; what a client asks before its first call is in a trace of its own."""
        async with AsyncExitStack() as opened:
            with self.span("connect"):
                client = await opened.enter_async_context(Client(f"{self.url}{path}", mode=mode))
                await client.list_tools()
            yield client

    def asked(self) -> list[str]:
        """Return the `traceparent` of each request that a vendor got, the host of logs included."""
        headers = [
            *(one.headers for one in self.github.requests),
            *(one.headers for one in self.github.log_host.fetched),
            *(one.headers for one in self.jira.requests),
        ]
        return [one.get("traceparent", "") for one in headers]

    def logged(self, service: str) -> set[str]:
        """Return the traces that a service's log tells of."""
        ours = (line for line in self.lines if line.get("service") == service)
        return {str(line["trace_id"]) for line in ours if "trace_id" in line}

    def traces(self) -> dict[str, list[Seen]]:
        """Return what the collector has, by trace."""
        found: dict[str, list[Seen]] = defaultdict(list)
        for seen in self.collector.spans:
            found[seen.trace_id].append(seen)
        return found

    def vendor_spans(self) -> list[Seen]:
        """Return the spans of requests to vendors: those over HTTP that name no tool."""
        return [
            seen
            for seen in self.collector.spans
            if seen.service == "servers"
            and seen.span.kind == CLIENT_SPAN
            and "http.request.method" in seen.attributes
        ]


def is_whole(trace: list[Seen]) -> bool:
    """Say whether a trace has one root, a client's, and every other span hangs under one of it.

    What the router asked of a server is answered by a span of that server.
    """
    ids = {seen.span.span_id for seen in trace}
    roots = [seen for seen in trace if not seen.span.parent_span_id]
    served = {seen.span.parent_span_id for seen in trace if seen.span.kind == SERVER_SPAN}
    asking = {
        seen.span.span_id
        for seen in trace
        if seen.span.kind == CLIENT_SPAN and "mcp.method.name" in seen.attributes
    }
    return (
        [seen.service for seen in roots] == [CLIENT]
        and all(seen.span.parent_span_id in ids for seen in trace if seen not in roots)
        and roots[0].span.span_id in served
        and asking <= served
    )


@asynccontextmanager
async def traced_run(home: Path, given: Mapping[str, str] | None = None) -> AsyncIterator[Traced]:
    """Run a mesh whose vendors hold the demo's data."""
    checkout = GitRepository.at(home)
    checkout.branch("tighten-screws")
    async with receiving() as collector, GitHubStandIn() as github, JiraStandIn() as jira:
        demo, tickets = seed_github(github.state), seed_jira(jira.state)
        env = environment(home) | {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
            "OTEL_BSP_MAX_QUEUE_SIZE": "65536",
            "TRUNKLINE_LOG_LEVEL": "DEBUG",
            "TRUNKLINE_SERVERS": SERVERS,
            "TRUNKLINE_ENABLE_WRITES": "jira",
            "TRUNKLINE_GITHUB_REPOSITORY": FULL_NAME,
            "TRUNKLINE_GITHUB_API_URL": github.url,
            "GITHUB_TOKEN": demo.token.secret,
            "TRUNKLINE_JIRA_URL": jira.url,
            "JIRA_USERNAME": "demo@acme.test",
            "JIRA_API_TOKEN": tickets.token.secret,
            **(given or {}),
        }
        async with started("run", env=env, cwd=checkout.path, patience_s=PATIENCE_S) as running:
            traced = Traced(
                url=await running.url(),
                collector=collector,
                github=github,
                jira=jira,
                demo=demo,
                tracer=_tracer(collector),
            )
            async with _reading(running, traced):
                await _all_there(traced)
                yield traced


async def _all_there(traced: Traced) -> None:
    """Wait for every server: a mesh is ready without those that take longer than it waits.

    What is asked of one that is not there reaches nobody, so that its trace ends at the router.
    """
    port = int(traced.url.rpartition(":")[2])
    async with asyncio.timeout(PATIENCE_S):
        while True:
            servers = (await get(port, "/status")).json["servers"]
            if all(one["available"] for one in servers.values()):
                return


def _tracer(collector: OtlpReceiver) -> Tracer:
    """Return a tracer of this process, which is the clients'."""
    provider = TracerProvider(resource=Resource({"service.name": CLIENT}), shutdown_on_exit=False)
    exporter = OTLPSpanExporter(f"{collector.url}/v1/traces")
    sending = BatchSpanProcessor(exporter, max_queue_size=65_536, schedule_delay_millis=100)
    provider.add_span_processor(sending)
    return provider.get_tracer("test")


@asynccontextmanager
async def _reading(running: Running, traced: Traced) -> AsyncIterator[None]:
    """Read the log while the block runs: a pipe that is full would hold the mesh up."""
    assert running.process.stderr is not None
    assert running.process.stdout is not None
    async with asyncio.TaskGroup() as tasks:
        reading = [
            tasks.create_task(_keep(running.process.stderr, traced)),
            tasks.create_task(_keep(running.process.stdout, traced)),
        ]
        yield
        for task in reading:
            task.cancel()


async def _keep(stream: StreamReader, traced: Traced) -> None:
    async for line in stream:
        if line.startswith(b"{"):
            traced.lines.append(json.loads(line))
