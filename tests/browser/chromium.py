"""The machine's own Chromium, headless: found on PATH, never downloaded."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, async_playwright

from trunkline_cli.environment import variables

NAMES = ("chromium", "chromium-browser", "google-chrome")
# A container has no user namespaces for the sandbox, and 64 MB of shared memory.
OPTIONS = ("--no-sandbox", "--disable-dev-shm-usage")


@asynccontextmanager
async def running_chromium() -> AsyncIterator[Browser]:
    """Run a Chromium for the block; without one installed, skip on a laptop and fail in CI."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        _lacking("Chromium is not installed (Debian, Ubuntu: apt install chromium)")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=OPTIONS)
        try:
            yield browser
        finally:
            await browser.close()


def _lacking(reason: str) -> None:
    if variables().get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
