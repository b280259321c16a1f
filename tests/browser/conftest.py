"""One Chromium for all tests here, and a visit of its own for each."""

from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.browsing import PATIENCE_MS, Browsing, browsing_with
from tests.browser.chromium import running_chromium

_FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="package")
def anyio_backend() -> str:
    """One event loop for as long as the browser runs."""
    return "asyncio"


@pytest.fixture(scope="package")
async def chromium(anyio_backend: str) -> AsyncIterator[Browser]:
    """A browser, started once per worker: its start takes a second."""
    expect.set_options(timeout=PATIENCE_MS)
    async with running_chromium() as browser:
        yield browser


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether a test has failed, for the end of its visit."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


@pytest.fixture
async def browsing(
    chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[Browsing]:
    """A visit: a console that complains fails the test, a failed test leaves pictures."""
    async with browsing_with(chromium) as visit:
        yield visit
        failed = request.node.stash.get(_FAILED, False)
        if failed or visit.wrong():
            await visit.picture(tmp_path)
        assert visit.wrong() == []
