"""A test's own visit to the page: fresh storage, and everything that goes wrong is written down."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Unpack

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize
from typing_extensions import TypedDict

WIDE = ViewportSize(width=1600, height=1000)
NARROW = ViewportSize(width=360, height=780)
PATIENCE_MS = 12_000
_NOT_LOADED = "Failed to load resource"
_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`violates the policy: ${event.effectiveDirective} ${event.blockedURI}`);
});
"""


class Look(TypedDict, total=False):
    """How a visitor's browser is set."""

    viewport: ViewportSize
    color_scheme: Literal["dark", "light"]
    reduced_motion: Literal["reduce", "no-preference"]
    bypass_csp: bool
    permissions: list[str]


@dataclass(kw_only=True)
class Browsing:
    """Opens pages, each with storage of its own, and keeps what their consoles complain of.

    `outage` is set by a test that takes something away from the page: the browser itself then
    tells of requests that failed, whatever the page does about it.
    """

    browser: Browser
    outage: bool = False
    complaints: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    async def open(self, url: str, **look: Unpack[Look]) -> Page:
        """Open an address in a new browser context."""
        page = await self.blank(**look)
        await page.goto(url)
        return page

    async def blank(self, **look: Unpack[Look]) -> Page:
        """Open an empty page in a new browser context."""
        wanted = Look(viewport=WIDE, color_scheme="light", reduced_motion="reduce") | look
        context = await self.browser.new_context(**wanted)
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.set_default_navigation_timeout(2 * PATIENCE_MS)
        await context.add_init_script(_REPORT_VIOLATIONS)
        context.on("console", self._note)
        context.on("weberror", lambda error: self.complaints.append(f"threw {error.error}"))
        return await context.new_page()

    def wrong(self) -> list[str]:
        """Return what went wrong on the pages."""
        if not self.outage:
            return self.complaints
        return [one for one in self.complaints if _NOT_LOADED not in one]

    async def picture(self, folder: Path) -> None:
        """Write down how each open page looks."""
        pages = [page for context in self.contexts for page in context.pages]
        for number, page in enumerate(pages, 1):
            await page.screenshot(path=folder / f"page-{number}.png")

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.type}: {message.text}")


@asynccontextmanager
async def browsing_with(browser: Browser) -> AsyncIterator[Browsing]:
    """Browse for the length of the block."""
    browsing = Browsing(browser=browser)
    try:
        yield browsing
    finally:
        for context in browsing.contexts:
            await context.close()
