"""What happens in the mesh is on the page as it happens, and narrowed to what one looks for."""

import re
from collections.abc import AsyncIterator, Sequence

import aiohttp
import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.browsing import Browsing
from tests.browser.lively import Lively, lively
from tests.browser.told import Told, row, tell
from tests.browser.visiting import signed_in, visit
from tests.browser.worlds import EYE
from tests.interaction.keys import bearing, key_of
from tests.interaction.wire import modern, modern_headers
from trunkline_shared.clock import SystemClock

pytestmark = pytest.mark.anyio

SOON_MS = 5_000
MANY, BURST = 5_000, 200
BURST_OVER_MS = 12_000
MOST_SHOWN = 300
MOST_NODES = 20_000
CHARTS = 3
DRAWN = re.compile(r"at most ([1-9]|0\.0?[1-9])")
"""What a chart says of a line that is not flat."""
INK = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 200) colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
  }
  return colours.size;
}"""


@pytest.fixture(scope="module")
async def mesh(anyio_backend: str) -> AsyncIterator[Lively]:
    """A mesh where something of everything has happened."""
    async with lively() as running:
        await running.work()
        yield running


def feed(page: Page) -> Locator:
    """Return the calls of the feed, newest first."""
    return page.get_by_role("list", name="Latest calls").get_by_role("link")


async def texts(calls: Locator) -> Sequence[str]:
    """Return what each of them says."""
    return await calls.all_inner_texts()


@pytest.mark.requirement("seeing.page-live")
async def test_a_call_is_in_the_feed_as_it_happens(browsing: Browsing, mesh: Lively) -> None:
    """With its tool, its agent, where the answer came from and how it failed; untouched."""
    page = await visit(browsing, mesh.url, by=EYE)
    await expect(feed(page).first).to_be_visible()
    await mesh.agents["ci-bot"].call("read_page", title="plan")
    bots = feed(page).filter(has_text="ci-bot")
    await expect(bots.first).to_contain_text("basecamp.read_page", timeout=SOON_MS)
    await expect(bots.first).to_contain_text("cache")
    await mesh.agents["ci-bot"].refused("read_page", title="nowhere")
    await expect(bots.first).to_contain_text("not_found", timeout=SOON_MS)
    await expect(bots).to_have_count(2)


@pytest.mark.requirement("seeing.page-live")
async def test_a_paused_feed_stands_still(browsing: Browsing, mesh: Lively) -> None:
    """What comes meanwhile is counted, and there after going on."""
    page = await visit(browsing, mesh.url, by=EYE)
    await expect(feed(page).first).to_be_visible()
    await page.get_by_role("button", name="Pause").click()
    before = await texts(feed(page))
    await mesh.agents["claude-code"].call("write_page", title="paused", text="x")
    resume = page.get_by_role("button", name="Resume")
    await expect(resume).to_contain_text("1 new", timeout=SOON_MS)
    assert await texts(feed(page)) == before
    await resume.click()
    await expect(feed(page).first).to_contain_text("basecamp.write_page")


@pytest.mark.requirement("seeing.page-live")
async def test_the_charts_are_drawn_from_what_happened(browsing: Browsing, mesh: Lively) -> None:
    """Lines in several colours, the values told in words, and in a table."""
    page = await visit(browsing, mesh.url, by=EYE)
    charts = page.get_by_role("main").get_by_role("img")
    await expect(charts.nth(CHARTS - 1)).to_be_visible()
    for chart in await charts.all():
        await expect(chart).to_have_attribute("aria-label", DRAWN)
        assert await chart.locator("canvas").evaluate(INK) > 2
    await page.get_by_text("As a table").first.click()
    values = page.get_by_role("main").get_by_role("table").first.get_by_role("row")
    await expect(values.nth(1)).to_be_visible()


@pytest.mark.requirement("seeing.page-filters")
async def test_filters_narrow_everything_and_survive_a_reload(
    browsing: Browsing, mesh: Lively
) -> None:
    """Feed, charts and traces show one agent's calls alone, also of what comes later."""
    page = await visit(browsing, mesh.url, by=EYE)
    await expect(feed(page).filter(has_text="codex").first).to_be_visible()
    await page.get_by_label("Agent").select_option("claude-code")
    for _ in range(2):
        await expect(feed(page).filter(has_text="claude-code").first).to_be_visible()
        await expect(feed(page).filter(has_not_text="claude-code")).to_have_count(0)
        await page.reload()
    await mesh.agents["codex"].call("read_page", title="plan")
    await mesh.agents["claude-code"].call("write_page", title="log", text="y")
    await expect(feed(page).first).to_contain_text("write_page", timeout=SOON_MS)
    await expect(feed(page).filter(has_text="codex")).to_have_count(0)
    await page.get_by_role("link", name="Traces").click()
    rows = page.get_by_role("table", name="Traces").get_by_role("row")
    await expect(rows.filter(has_text="claude-code").first).to_be_visible()
    await expect(rows.filter(has_text="codex")).to_have_count(0)


@pytest.mark.requirement("seeing.page-filters")
@pytest.mark.parametrize(
    ("label", "choice", "there", "gone"),
    [
        ("Server", "wiki", "wiki.search_wiki", "basecamp."),
        ("Tool", "write_page", "basecamp.write_page", "read_page"),
    ],
)
async def test_server_and_tool_narrow_as_well(
    browsing: Browsing, mesh: Lively, label: str, choice: str, there: str, gone: str
) -> None:
    """The charts, too; and one press shows everything again."""
    page = await visit(browsing, mesh.url, by=EYE)
    await expect(feed(page).filter(has_text=gone).first).to_be_visible()
    wanted = f"{label.lower()}={choice}"
    async with page.expect_request(
        lambda asked: "/api/series" in asked.url and wanted in asked.url, timeout=SOON_MS
    ):
        await page.get_by_label(label, exact=True).select_option(choice)
    await expect(feed(page).filter(has_text=there).first).to_be_visible()
    await expect(feed(page).filter(has_text=gone)).to_have_count(0)
    await page.get_by_role("button", name="Clear filters").click()
    await expect(feed(page).filter(has_text=gone).first).to_be_visible()


@pytest.mark.requirement("seeing.page-filters")
async def test_a_narrowed_chart_shows_those_calls_alone(browsing: Browsing, mesh: Lively) -> None:
    """A server that answered nothing from a cache has no hits in the chart."""
    page = await visit(browsing, mesh.url, by=EYE)
    charts = page.get_by_role("main").get_by_role("img")
    whole = await charts.first.get_attribute("aria-label")
    await page.get_by_label("Tool", exact=True).select_option("search_wiki")
    await expect(charts.first).not_to_have_attribute("aria-label", whole or "")


@pytest.mark.requirement("seeing.page-bounded")
async def test_the_page_stays_small_however_many_calls_there_are(
    browsing: Browsing, mesh: Lively
) -> None:
    """After 5,000 calls the feed is as long as ever, and goes on with what comes."""
    browsing.outage = True
    page = await browsing.blank()
    await tell(page, flood())
    await signed_in(page, mesh.url, EYE)
    await expect(feed(page).filter(has_text=f"flood_{MANY - 1}")).to_be_visible()
    assert await feed(page).count() <= MOST_SHOWN
    assert await page.evaluate("document.querySelectorAll('*').length") <= MOST_NODES
    live = page.get_by_role("banner").get_by_text("Live", exact=True)
    await expect(live).to_be_visible()
    await mesh.agents["claude-code"].call("write_page", title="last", text="z")
    await expect(feed(page).filter(has_text="write_page").first).to_be_visible()
    assert await feed(page).count() <= MOST_SHOWN


def flood() -> list[Told]:
    """Return what a live stream tells of very many calls at once."""
    now = SystemClock().now()
    return [
        ("call", row(trace_id=f"{n:032x}", started=now + n / MANY, tool=f"flood_{n}"))
        for n in range(MANY)
    ]


@pytest.mark.requirement("seeing.page-live")
async def test_after_a_burst_the_newest_calls_are_there(browsing: Browsing, mesh: Lively) -> None:
    """More calls than a stream tells one by one: the last of them are shown all the same."""
    page = await visit(browsing, mesh.url, by=EYE)
    await expect(feed(page).first).to_be_visible()
    await many(mesh)
    await mesh.agents["codex"].call("write_page", title="burst", text="z")
    newest = feed(page).filter(has_text="write_page").filter(has_text="codex")
    await expect(newest.first).to_be_visible(timeout=BURST_OVER_MS)


async def many(mesh: Lively) -> None:
    """Call a tool more often than a stream tells of one by one."""
    body = modern("tools/call", {"name": "read_page", "arguments": {"title": "plan"}})
    headers = modern_headers("tools/call", "read_page") | bearing(key_of("ci-bot"))
    async with aiohttp.ClientSession(headers=headers) as session:
        for _ in range(BURST):
            async with session.post(mesh.mesh.mcp, data=body) as answer:
                assert answer.status == 200


@pytest.mark.requirement("seeing.page-live")
async def test_what_the_feed_shows_is_in_the_numbers(browsing: Browsing, mesh: Lively) -> None:
    """Also what has happened in the last second: one does not contradict the other."""
    page = await visit(browsing, mesh.url, by=EYE)
    await expect(feed(page).first).to_be_visible()
    calls = page.get_by_role("definition").first
    before = int((await calls.inner_text()).split()[0].replace(",", ""))
    await mesh.agents["ci-bot"].call("read_page", title="plan")
    more = re.compile(rf"^{before + 1:,}\D")
    await expect(calls).to_have_text(more)
