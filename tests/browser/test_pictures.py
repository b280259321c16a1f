"""The pictures of README: what the page looks like while a team works."""

import os
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.browsing import Browsing
from tests.browser.busy_team import Team, team
from tests.browser.visiting import visit
from tests.browser.worlds import BOSS

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
UPDATE = os.environ.get("UPDATE_SNAPSHOTS") == "1"  # noqa: TID251 - how `make snapshots` asks
LARGEST = 300_000
"""Bytes: README is opened over slow lines, too."""
PICTURES = ("dashboard-light.png", "dashboard-dark.png", "dashboard-narrow.png", "trace.png")
DESK = ViewportSize(width=1600, height=1000)
LOW_DESK = ViewportSize(width=1600, height=690)
PHONE = ViewportSize(width=360, height=780)
STORY = "github_comment.list_comments"


@pytest.mark.requirement("seeing.page-pictures")
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_there_small_and_shown(name: str) -> None:
    """Written by `make snapshots`, and README shows it."""
    assert (IMAGES / name).stat().st_size <= LARGEST
    assert f"docs/images/{name}" in (ROOT / "README.md").read_text(encoding="utf-8")


async def test_the_pictures_can_be_taken(browsing: Browsing, tmp_path: Path) -> None:
    """From a mesh of the demo's servers, with what a team does in a quarter of an hour."""
    place = IMAGES if UPDATE else tmp_path
    async with team() as working:
        await working.work()
        await working.last_minute()
        await overview(browsing, working, place / "dashboard-light.png", "light")
        await overview(browsing, working, place / "dashboard-dark.png", "dark")
        await overview(browsing, working, place / "dashboard-narrow.png", "light", PHONE)
        await trace(browsing, working, place / "trace.png")
        for context in browsing.contexts:
            await context.close()


async def overview(
    browsing: Browsing,
    working: Team,
    to: Path,
    theme: Literal["light", "dark"],
    window: ViewportSize = DESK,
) -> None:
    """Picture the overview."""
    page = await visit(browsing, working.url, by=BOSS, color_scheme=theme, viewport=window)
    await expect(
        page.get_by_role("list", name="Latest calls").get_by_text(STORY)
    ).not_to_have_count(0)
    await expect(page.get_by_text("breaker open")).to_be_visible()
    await pictured(page, to)


async def trace(browsing: Browsing, working: Team, to: Path) -> None:
    """Picture the waterfall of a read that went all the way to the vendor."""
    page = await visit(browsing, working.url, "traces?source=upstream", by=BOSS, viewport=LOW_DESK)
    rows = page.get_by_role("table", name="Traces").get_by_role("row")
    await rows.filter(has_text="get_ci_status").first.get_by_role("link").click()
    steps = page.get_by_role("region", name="Waterfall").get_by_role("button")
    await expect(steps.filter(has_text="GET").first).to_be_visible()
    await pictured(page, to)


async def pictured(page: Page, to: Path) -> None:
    """Write what the window shows."""
    await page.evaluate("document.fonts.ready")
    assert len(await page.screenshot(path=to, animations="disabled")) <= LARGEST
