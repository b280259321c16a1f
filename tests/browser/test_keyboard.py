"""Everything on the page is reached and done with the keyboard alone, and seen while it is."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, expect

from tests.browser.browsing import Browsing
from tests.browser.lively import Lively, lively
from tests.browser.visiting import VIEWS, go, visit
from tests.browser.worlds import BOSS
from tests.interaction.keys import key_of

pytestmark = pytest.mark.anyio

MOST_STOPS = 400
STOP = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const style = getComputedStyle(at);
  const ringed = element => {
    const own = getComputedStyle(element);
    return (own.outlineStyle !== "none" && parseFloat(own.outlineWidth) > 0)
      || own.boxShadow !== "none";
  };
  const box = at.getBoundingClientRect();
  at.dataset.stops = String(Number(at.dataset.stops ?? 0) + 1);
  return {
    name: at.outerHTML.slice(0, 100),
    seen: box.width > 0 && box.height > 0 && ringed(at),
    again: Number(at.dataset.stops) > 1,
  };
}"""
UNREACHED = """() => [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter(element => element.checkVisibility({ visibilityProperty: true })
    && !element.disabled && !element.closest("[inert]") && element.tabIndex >= 0
    && !element.dataset.stops)
  .map(element => element.outerHTML.slice(0, 100))"""


@pytest.fixture(scope="module")
async def mesh(anyio_backend: str) -> AsyncIterator[Lively]:
    """A mesh with something of everything to show."""
    async with lively() as running:
        await running.work()
        yield running


async def walked(page: Page) -> list[str]:
    """Press Tab until the page is left; returns the stops whose focus cannot be seen."""
    unseen: list[str] = []
    await page.evaluate("document.activeElement?.blur()")
    for _ in range(MOST_STOPS):
        await page.keyboard.press("Tab")
        stop = await page.evaluate(STOP)
        if stop is None or stop["again"]:
            return unseen
        if not stop["seen"]:
            unseen.append(stop["name"])
    raise AssertionError("Tab never leaves the page")


@pytest.mark.requirement("seeing.page-keyboard")
@pytest.mark.parametrize("view", [*VIEWS, "catalogue/basecamp/read_page"])
async def test_tab_stops_at_everything_once_and_is_seen(
    browsing: Browsing, mesh: Lively, view: str
) -> None:
    """No trap, nothing left out, and a ring around each stop."""
    page = await visit(browsing, mesh.url, view, by=BOSS)
    await expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert await walked(page) == []
    assert await page.evaluate(UNREACHED) == []


@pytest.mark.requirement("seeing.page-keyboard")
async def test_the_first_stop_skips_to_the_content(browsing: Browsing, mesh: Lively) -> None:
    """One key press and Enter: past the navigation, without leaving the view."""
    page = await visit(browsing, mesh.url, "traces", by=BOSS)
    await page.evaluate("document.activeElement?.blur()")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("main")).to_be_focused()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Traces")


@pytest.mark.requirement("seeing.page-keyboard")
async def test_a_visit_needs_no_mouse(browsing: Browsing, mesh: Lively) -> None:
    """Log in, go to a view, open a trace and a step of it, and come back: Tab and Enter."""
    browsing.outage = True
    page = await visit(browsing, mesh.url)
    await expect(page.get_by_label("API key")).to_be_focused()
    await page.keyboard.type(key_of(BOSS))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    await press(page, "Traces")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Traces")
    await expect(page.get_by_role("heading", level=1)).to_be_focused()
    await press(page, "basecamp.write_page")
    step = page.get_by_role("region", name="Waterfall").get_by_role("button").first
    await step.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("jsonrpc.request.id").first).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Traces")


async def press(page: Page, name: str) -> None:
    """Tab to a link and press Enter on it."""
    link = page.get_by_role("link", name=name).first
    await expect(link).to_be_visible()
    await page.evaluate("document.activeElement?.blur()")
    for _ in range(MOST_STOPS):
        await page.keyboard.press("Tab")
        if await link.evaluate("element => element === document.activeElement"):
            break
    await page.keyboard.press("Enter")


@pytest.mark.requirement("seeing.page-keyboard")
async def test_a_question_keeps_the_focus_and_gives_it_back(
    browsing: Browsing, mesh: Lively
) -> None:
    """Escape declines, and the focus is where it was."""
    page = await visit(browsing, mesh.url, by=BOSS)
    reset = page.get_by_role("button", name="Reset breaker of wiki")
    await expect(reset).to_be_visible()
    await reset.focus()
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    for _ in range(4):
        await page.keyboard.press("Tab")
        assert await dialog.evaluate(
            "dialog => document.activeElement === document.body "
            "|| dialog.contains(document.activeElement)"
        )
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(reset).to_be_focused()
    await go(page, "traces")
