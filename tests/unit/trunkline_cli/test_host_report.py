"""What the host tells its parent, over a pipe that it may leave at any time."""

import asyncio
import os

import pytest

from trunkline_cli.host_report import HostReport, hearing, tell

pytestmark = pytest.mark.anyio

LONG = HostReport(
    repository="acme/widgets", warnings=("ä" * 200_000, "jira: No Jira is configured")
)
"""More than a pipe holds."""


@pytest.mark.parametrize("report", [HostReport(), LONG])
async def test_it_is_heard_as_it_was_told(report: HostReport) -> None:
    """Whole, in however many pieces it comes."""
    heard: asyncio.Future[HostReport] = asyncio.get_running_loop().create_future()
    reading_end, writing_end = os.pipe()
    with hearing(reading_end, heard.set_result):
        async with asyncio.timeout(5):
            await asyncio.to_thread(tell, writing_end, report)
            assert await heard == report


async def test_a_host_that_ends_before_it_has_told_has_told_nothing() -> None:
    """Its parent goes on with what it knows."""
    reading_end, writing_end = os.pipe()
    heard: list[HostReport] = []
    with hearing(reading_end, heard.append):
        os.close(writing_end)
        for _ in range(3):
            await asyncio.sleep(0)
    assert heard == []


async def test_a_host_that_ends_in_the_middle_has_told_nothing() -> None:
    """Half a report is none."""
    reading_end, writing_end = os.pipe()
    heard: list[HostReport] = []
    with hearing(reading_end, heard.append):
        os.write(writing_end, b'{"repository": "acme/wid')
        os.close(writing_end)
        for _ in range(3):
            await asyncio.sleep(0)
    assert heard == []
