"""A diff on its way from GitHub through the HTTP client into a page: in bounded memory."""

import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from tests.unit.trunkline_issues.diffs import large
from trunkline_issues.diff_fetching import DiffReading
from trunkline_issues.diff_files import Wanted
from trunkline_issues.settings import IssuesSettings
from trunkline_shared.github.opening import open_github
from trunkline_shared.github.repository import Repository
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.loopback import address, free_socket

pytestmark = pytest.mark.anyio

MAX_SIZE = 1024 * 1024


@asynccontextmanager
async def vendor() -> AsyncIterator[str]:
    """Serve a diff that is made while it is sent, and never lies in memory as a whole."""

    async def diff(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"content-type": "application/vnd.github.diff"})
        await answer.prepare(request)
        for chunk in large(300, 66, wide=400):
            await answer.write(chunk)
        await answer.write_eof()
        return answer

    app = web.Application()
    app.router.add_get("/repos/acme/widgets/pulls/2", diff)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    listening = free_socket()
    await web.SockSite(runner, listening).start()
    try:
        yield address(listening)
    finally:
        await runner.cleanup()


@pytest.mark.requirement("pull.diff-memory")
async def test_a_diff_of_300_files_flows_through_the_client_in_three_pages_of_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What asyncio and aiohttp hold on the way included, which is the same for any diff."""
    monkeypatch.setenv("GITHUB_TOKEN", "t")
    clock = FakeClock()
    async with vendor() as url:
        settings = load(IssuesSettings, {"github_api_url": url, "netrc": "/nonexistent"})
        async with open_github(settings, in_process_store(clock), clock=clock) as github:
            reading = DiffReading(
                github=github, clock=clock, repository=Repository("acme", "widgets"), number=2
            )
            await reading.read(Wanted(max_size=MAX_SIZE))
            tracemalloc.start()
            try:
                found, source = await reading.read(Wanted(max_size=MAX_SIZE))
                shown = found.page.text()
                _, most = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
    assert source == "diff"
    assert len(found.entries) == 300
    assert found.size > 8 * MAX_SIZE
    assert len(shown) > MAX_SIZE * 0.9
    assert most <= 3 * MAX_SIZE
