"""The page fits its window, narrow or wide, and holds still for those who ask for it."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.browsing import NARROW, WIDE, Browsing
from tests.browser.lively import Lively, lively
from tests.browser.visiting import VIEWS, go, visit
from tests.browser.worlds import BOSS

pytestmark = pytest.mark.anyio

OVERFLOW = """() => {
  const wide = document.documentElement.clientWidth;
  const scrolls = element => element && (
    /auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const isCut = element => element.checkVisibility() && !scrolls(element)
    && !element.closest(".spoken") && element.getBoundingClientRect().right > wide + 1;
  return {
    page: document.documentElement.scrollWidth - wide,
    cut: [...document.querySelectorAll("main *, header *")].filter(isCut)
      .map(element => element.outerHTML.slice(0, 90)),
  };
}"""
MOVING = """() => document.getAnimations().filter(animation => {
  const { duration, iterations } = animation.effect.getComputedTiming();
  return duration > 10 || iterations > 1;
}).map(animation => animation.effect.target?.outerHTML.slice(0, 90))"""
TRANSITIONS = """() => [...document.querySelectorAll("*")].filter(element =>
  getComputedStyle(element).transitionDuration.split(",").some(one => parseFloat(one) > 0.01))
  .map(element => element.outerHTML.slice(0, 90))"""


@pytest.fixture(scope="module")
async def mesh(anyio_backend: str) -> AsyncIterator[Lively]:
    """A mesh with something of everything to show."""
    async with lively() as running:
        await running.work()
        yield running


def places(mesh: Lively) -> list[str]:
    """Return every kind of place that the page has."""
    return [*VIEWS, f"traces/{mesh.mesh.spans[-1].trace}", "catalogue/basecamp/read_page"]


@pytest.mark.requirement("seeing.page-widths")
@pytest.mark.parametrize("width", [WIDE, NARROW], ids=["1600", "360"])
async def test_no_view_is_wider_than_the_window(
    browsing: Browsing, mesh: Lively, width: ViewportSize
) -> None:
    """Nothing is cut off and the page does not scroll sideways; a wide table does, by itself."""
    page = await visit(browsing, mesh.url, by=BOSS, viewport=width)
    found = {}
    for place in places(mesh):
        await go(page, place)
        await expect(page.locator("[aria-busy=true]")).to_have_count(0)
        found[place] = await page.evaluate(OVERFLOW)
    assert {place: one for place, one in found.items() if one != {"page": 0, "cut": []}} == {}


@pytest.mark.requirement("seeing.page-still")
async def test_nothing_moves_for_those_who_want_it_still(browsing: Browsing, mesh: Lively) -> None:
    """With prefers-reduced-motion no animation runs and no change is drawn out."""
    page = await visit(browsing, mesh.url, by=BOSS, reduced_motion="reduce")
    for place in places(mesh):
        await go(page, place)
        assert await page.evaluate(MOVING) == []
        assert await page.evaluate(TRANSITIONS) == []


@pytest.mark.requirement("seeing.page-themes")
async def test_a_chosen_theme_is_kept_and_the_system_s_followed(
    browsing: Browsing, mesh: Lively
) -> None:
    """Light or dark as the system says, until one is chosen, which a reload does not forget."""
    page = await visit(browsing, mesh.url, by=BOSS, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = await page.evaluate(ground)
    await page.get_by_role("button", name="Use the light theme").click()
    light = await page.evaluate(ground)
    assert light != dark
    await page.reload()
    await expect(page.get_by_role("button", name="Use the dark theme")).to_be_visible()
    assert await page.evaluate(ground) == light
    await page.get_by_role("button", name="Use the dark theme").click()
    await page.emulate_media(color_scheme="light")
    assert await page.evaluate(ground) == light
