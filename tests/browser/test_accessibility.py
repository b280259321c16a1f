"""Everybody can use the page: no rule of WCAG 2.1 AA is broken in any view, theme or width."""

from collections.abc import AsyncIterator
from typing import Any, Literal

import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.browsing import NARROW, WIDE, Browsing
from tests.browser.lively import Lively, lively
from tests.browser.test_page_types import HERE
from tests.browser.visiting import VIEWS, go, visit
from tests.browser.worlds import BOSS
from tests.from_registries import node_packages

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(300)]

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async tags => {
  const found = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(
    ({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
}"""


@pytest.fixture(scope="module")
async def mesh(anyio_backend: str) -> AsyncIterator[Lively]:
    """A mesh with something of everything to show."""
    async with lively() as running:
        await running.work()
        yield running


@pytest.fixture(scope="module")
def axe() -> str:
    """The checker's source; the page's own policy would let it in nowhere."""
    return node_packages(HERE).file("axe-core", "axe.min.js").read_text(encoding="utf-8")


async def violations(page: Page) -> Any:
    """Return every rule that the page breaks as it stands."""
    return await page.evaluate(RUN, TAGS)


async def settled(page: Page) -> None:
    """Wait until nothing is on its way any more."""
    await expect(page.get_by_text("Loading")).to_have_count(0)


@pytest.mark.requirement("seeing.page-accessible")
@pytest.mark.parametrize("width", [WIDE, NARROW], ids=["1600", "360"])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_no_view_breaks_a_rule(
    browsing: Browsing,
    mesh: Lively,
    axe: str,
    theme: Literal["light", "dark"],
    width: ViewportSize,
) -> None:
    """Contrast, roles, names and landmarks; also of a trace, a tool and the form to log in."""
    page = await visit(
        browsing, mesh.url, by=BOSS, color_scheme=theme, viewport=width, bypass_csp=True
    )
    await page.evaluate(axe)
    trace = mesh.mesh.spans[-1].trace
    places = (*VIEWS, f"traces/{trace}", "catalogue/basecamp/read_page")
    found = {}
    for place in places:
        await go(page, place)
        await settled(page)
        found[place] = await violations(page)
    await page.get_by_role("button", name="Log out").click()
    await expect(page.get_by_label("API key")).to_be_visible()
    found["login"] = await violations(page)
    browsing.outage = True
    assert {place: broken for place, broken in found.items() if broken} == {}
