"""A log of 200 MB costs the server a few megabytes of memory, whatever is asked of it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from mcp import Client

from tests.interaction.asking import HERE
from tests.interaction.ci_logs import World, numbered, stamped, world
from tests.interaction.ci_process import process_of
from trunkline_shared.testing.github import GeneratedLog

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.timeout(120),
    pytest.mark.skipif(sys.platform != "linux", reason="/proc tells how much a process held"),
]

MIB = 1024 * 1024
BLOCK = stamped(*(f"line {number} of {'x' * 80}" for number in range(2000)))[3:]
TIMES = 200 * MIB // len(BLOCK)
LOG = GeneratedLog(block=BLOCK, times=TIMES, end=stamped("##[error]the end")[3:])


@pytest.fixture
async def ci(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(monkeypatch) as there:
        yield there


@pytest.mark.requirement("ci.log.bounded")
async def test_a_log_of_200_mb_costs_at_most_20_mb(ci: World, tmp_path: Path) -> None:
    """Measured on the process: what it held at most after a small log, and after the large one."""
    small, large = ci.job(numbered(3000)), ci.job(LOG)
    asked = {**HERE, "tail_lines": 5000, "max_bytes": 262_144}
    async with (
        asyncio.timeout(110),
        process_of(ci, tmp_path) as service,
        Client(service.url) as client,
    ):
        await client.call_tool("get_job_log", {**asked, "job_id": small.id})
        before = service.most_memory()
        result = await client.call_tool("get_job_log", {**asked, "job_id": large.id})
        grown = service.most_memory() - before
    log = result.structured_content
    assert log is not None
    assert log["total_lines"] == log["first_error_line"] == 2000 * TIMES + 1
    assert log["text"].endswith("x\n##[error]the end")
    assert grown <= 20 * MIB
