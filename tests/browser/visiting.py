"""Going to the page, signed in or not, and finding one's way there."""

from typing import Unpack

from playwright.async_api import Page, expect

from tests.browser.browsing import Browsing, Look
from tests.interaction.keys import key_of

VIEWS = ("overview", "traces", "catalogue", "tokens", "audit", "connect")


async def visit(
    browsing: Browsing, url: str, place: str = "", *, by: str = "", **look: Unpack[Look]
) -> Page:
    """Open a place of the page, as the holder of a key if one is named."""
    page = await browsing.blank(**look)
    await signed_in(page, url, by, place)
    return page


async def signed_in(page: Page, url: str, by: str, place: str = "") -> None:
    """Go to a place of the page, as the holder of a key if one is named."""
    if by:
        told = await page.context.request.post(f"{url}/login", data={"key": key_of(by)})
        assert told.status == 204, await told.text()
    await page.goto(f"{url}/#/{place}")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()


async def go(page: Page, place: str) -> None:
    """Go to another place of the page that is open, as a link there does."""
    await page.evaluate("place => { location.hash = `#/${place}`; }", place)
    await expect(page.get_by_role("heading", level=1)).to_be_visible()


async def log_in(page: Page, key: str) -> None:
    """Show a key to the form."""
    await page.get_by_label("API key").fill(key)
    await page.get_by_role("button", name="Log in").click()
