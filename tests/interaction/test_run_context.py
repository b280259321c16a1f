"""A branch's context from `trunkline run`: one trace through all of it, and no token in it."""

import asyncio
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import TextResourceContents

from tests.interaction.otlp_receiver import OtlpReceiver, Seen, receiving
from tests.interaction.trunkline_process import environment, started
from trunkline_shared.testing.git_repository import GitRepository

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

CONTEXT = "twig://branch/tighten-screws/context"
VENDOR = "GET /repos/{owner}/{repo}/pulls/{number}"
READ, PULL = "resources/read", "tools/call get_pr_status"


def step(seen: Seen) -> tuple[str, int, str]:
    return seen.service, seen.span.kind, seen.span.name


def above(seen: Seen, trace: list[Seen]) -> list[Seen]:
    """Return the steps from one to the root."""
    by_id = {each.span.span_id: each for each in trace}
    chain = [seen]
    while (parent := by_id.get(chain[-1].span.parent_span_id)) is not None:
        chain.append(parent)
    return chain


async def delegated(collector: OtlpReceiver) -> list[Seen]:
    """Wait until a delegated call's way up to the agent's read is there, and that of a vendor's."""
    async with collector.arrived:
        await collector.arrived.wait_for(
            lambda: _whole(collector, PULL, 5) and _whole(collector, VENDOR, 8)
        )
    (root,) = [each for each in collector.spans if step(each) == ("router", 2, READ)]
    return collector.of(root.trace_id)


def _whole(collector: OtlpReceiver, name: str, steps: int) -> bool:
    spans = collector.spans
    found = [
        each for each in spans if each.span.name == name and step(each) != ("servers", 2, PULL)
    ]
    return any(len(above(each, spans)) >= steps for each in found)


@pytest.mark.requirement("router.trace", "twig.context-composed")
async def test_what_a_context_asks_of_others_is_in_its_own_trace(tmp_path: Path) -> None:
    """From the agent's read to the vendor: each delegated call hangs under the one who asked."""
    made = GitRepository.at(tmp_path)
    made.branch("tighten-screws")
    async with receiving() as collector:
        env = environment(tmp_path) | {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
            "TRUNKLINE_LOG_LEVEL": "DEBUG",
        }
        async with started("run", "--demo", env=env, cwd=made.path) as run, asyncio.timeout(90):
            url = await run.url()
            async with Client(f"{url}/mcp") as client:
                (content,) = (await client.read_resource(CONTEXT)).contents
            trace = await delegated(collector)
            run.process.terminate()
            assert run.process.stderr is not None
            logged = await run.process.stderr.read()
    assert isinstance(content, TextResourceContents)
    assert '"title":"WID-2: Tighten the screws"' in content.text
    (served,) = [each for each in trace if step(each) == ("router", 2, PULL)]
    chain = [step(each)[:2] for each in above(served, trace)]
    assert chain == [("router", 2), ("servers", 3), ("servers", 2), ("router", 3), ("router", 2)]
    vendors = [above(each, trace) for each in trace if each.span.name == VENDOR]
    assert any(step(way[-1]) == ("router", 2, READ) and len(way) >= 8 for way in vendors)
    assert b"eyJ" not in logged
    assert "eyJ" not in str([each.span for each in collector.spans])
