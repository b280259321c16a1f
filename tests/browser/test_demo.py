"""The page before the whole demo: real servers, traces to the last request, tools to try."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.browsing import Browsing
from tests.browser.visiting import go, visit
from tests.browser.worlds import BOSS, EYE, Demo, agent, demo

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

ISSUE = {"owner": "acme", "repo": "widgets", "issue_number": 1}
COMMENT = "Seen <b>from</b> the page."
SNIPPETS = 8
CUT = "element => element.scrollWidth > element.clientWidth"


@pytest.fixture(scope="module")
async def mesh(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Demo]:
    """The demo with two of its servers, after a read and a write by an agent."""
    async with demo(tmp_path_factory.mktemp("demo"), "github_comment", "github_ci") as running:
        async with agent(running.url, "claude-code") as claude:
            await claude.call("list_comments", **ISSUE)
            await claude.call("create_comment", body="Written by an agent.", **ISSUE)
        yield running


def row_of(page: Page, text: str) -> Locator:
    """Return a row of the table that the page shows."""
    return page.get_by_role("row").filter(has_text=text).first


def argument(page: Page, name: str) -> Locator:
    """Return the field of an argument."""
    return page.get_by_role("textbox", name=re.compile(rf"^{name}\b"))


@pytest.mark.requirement("seeing.page-waterfall")
async def test_a_trace_opens_down_to_the_last_request(browsing: Browsing, mesh: Demo) -> None:
    """Each step is there, indented below its parent; its attributes open; its address is a link."""
    page = await visit(browsing, mesh.url, "traces", by=EYE)
    await row_of(page, "github_comment.list_comments").get_by_role("link").click()
    steps = page.get_by_role("region", name="Waterfall").get_by_role("button")
    await expect(steps.nth(3)).to_be_visible()
    told = await steps.all_inner_texts()
    assert "tools/call list_comments" in told[0]
    assert "router" in told[0]
    assert any("servers" in step for step in told)
    last = steps.filter(has_text="GET").last
    await expect(last).to_have_attribute("aria-expanded", "false")
    await last.click()
    await expect(last).to_have_attribute("aria-expanded", "true")
    await expect(page.get_by_text("http.request.method").first).to_be_visible()
    await expect(last).to_contain_text("/repos/{owner}/{repo}/issues/{number}/comments")
    await expect(last).to_contain_text("servers")
    await expect(page.get_by_text("Parts of this trace are missing")).to_have_count(0)
    again = await visit(browsing, mesh.url, page.url.partition("#/")[2], by=EYE)
    await expect(again.get_by_role("region", name="Waterfall")).to_contain_text("list_comments")
    await expect(again.get_by_role("heading", level=1)).to_have_text("github_comment.list_comments")


@pytest.mark.requirement("seeing.page-waterfall")
async def test_a_trace_that_is_not_kept_is_said_to_be_gone(browsing: Browsing, mesh: Demo) -> None:
    """An old link ends at a sentence, not at an empty page."""
    browsing.outage = True
    page = await visit(browsing, mesh.url, f"traces/{'ab' * 16}", by=EYE)
    await expect(page.get_by_text("This trace is not here")).to_be_visible()


@pytest.mark.requirement("seeing.page-audit")
async def test_writes_are_audited_for_an_admin_alone(browsing: Browsing, mesh: Demo) -> None:
    """Who, what, how it ended and in which trace; never what was written."""
    page = await visit(browsing, mesh.url, "audit", by=BOSS)
    record = row_of(page, "github_comment.create_comment")
    await expect(record).to_contain_text("claude-code")
    await expect(record).to_contain_text("ok")
    await expect(record).not_to_contain_text("Written by an agent.")
    await record.get_by_role("link").last.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("github_comment.create_comment")
    observer = await visit(browsing, mesh.url, "audit", by=EYE)
    await expect(observer.get_by_role("main")).to_contain_text("admin")
    await expect(observer.get_by_role("main")).not_to_contain_text("create_comment")


@pytest.mark.requirement("seeing.page-widths")
async def test_names_in_the_feed_are_whole_on_a_laptop(browsing: Browsing, mesh: Demo) -> None:
    """They have a line of their own where one line would be too narrow for all."""
    page = await visit(browsing, mesh.url, by=BOSS, viewport={"width": 1280, "height": 900})
    name = page.get_by_role("listitem").get_by_text("github_comment.create_comment").first
    await expect(name).to_be_visible()
    assert await name.evaluate(CUT) is False


@pytest.mark.requirement("seeing.page-catalogue")
async def test_the_catalogue_shows_each_tool_with_its_schema(
    browsing: Browsing, mesh: Demo
) -> None:
    """By server, searchable, with what each argument means, and what the tool does to the world."""
    page = await visit(browsing, mesh.url, "catalogue", by=EYE)
    main = page.get_by_role("main")
    await expect(main).to_contain_text("list_comments")
    await expect(main).to_contain_text("get_ci_status")
    await go(page, "catalogue/github_comment/list_comments")
    await expect(main).to_contain_text("issue_number")
    await expect(main.get_by_text('"properties"').first).to_be_attached()


@pytest.mark.requirement("seeing.page-try-it")
async def test_a_read_can_be_tried(browsing: Browsing, mesh: Demo) -> None:
    """Its result, where that came from, and the way to its trace; no question is asked."""
    page = await visit(browsing, mesh.url, "catalogue/github_comment/list_comments", by=EYE)
    await argument(page, "owner").fill("acme")
    await argument(page, "repo").fill("widgets")
    await argument(page, "issue_number").fill("1")
    await page.get_by_role("button", name="Call").click()
    main = page.get_by_role("main")
    await expect(main).to_contain_text("Measurement 1: 41 kg.")
    await expect(main).to_contain_text("upstream")
    await main.get_by_role("link", name="Open the trace").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("github_comment.list_comments")


@pytest.mark.requirement("seeing.page-try-it")
async def test_what_is_missing_or_wrong_is_said_beside_its_field(
    browsing: Browsing, mesh: Demo
) -> None:
    """Nothing is sent then; what the server refuses is shown with its code."""
    page = await visit(browsing, mesh.url, "catalogue/github_comment/list_comments", by=EYE)
    number = argument(page, "issue_number")
    await number.fill("-4")
    await page.get_by_role("button", name="Call").click()
    await expect(number).to_have_attribute("aria-invalid", "true")
    await expect(number).to_have_accessible_description(re.compile("At least 1"))
    await expect(number).to_be_focused()
    await expect(page.get_by_role("alert").filter(has_text="Not sent")).to_be_visible()
    await number.fill("99")
    await page.get_by_role("button", name="Call").click()
    await expect(page.get_by_role("main")).to_contain_text("NOT_FOUND")


@pytest.mark.requirement("seeing.page-try-it")
async def test_a_write_is_tried_only_after_it_is_agreed_to(browsing: Browsing, mesh: Demo) -> None:
    """Without it nothing happens; with it, once, and the next one has to be agreed to anew."""
    page = await visit(browsing, mesh.url, "catalogue/github_comment/create_comment", by=BOSS)
    await argument(page, "owner").fill("acme")
    await argument(page, "repo").fill("widgets")
    await argument(page, "issue_number").fill("1")
    await argument(page, "body").fill(COMMENT)
    await page.get_by_role("button", name="Call").click()
    await expect(page.get_by_text("Confirm this first.")).to_be_visible()
    assert await written(mesh) == 0
    agreed = page.get_by_role("checkbox", name="for real")
    await agreed.check()
    await page.get_by_role("button", name="Call").click()
    await expect(page.get_by_role("main")).to_contain_text("html_url")
    assert await written(mesh) == 1
    await expect(agreed).not_to_be_checked()


async def written(mesh: Demo) -> int:
    """Return how many comments have the text that the page wrote."""
    async with agent(mesh.url, "codex") as codex:
        answer: dict[str, Any] = await codex.call("list_comments", order="newest", **ISSUE)
    return sum(COMMENT in comment["body"] for comment in answer["comments"])


@pytest.mark.requirement("seeing.page-connect")
async def test_a_snippet_for_each_client_is_copied_whole(browsing: Browsing, mesh: Demo) -> None:
    """The clipboard holds what the page shows, with this mesh's address."""
    page = await visit(
        browsing,
        mesh.url,
        "connect",
        by=EYE,
        permissions=["clipboard-read", "clipboard-write"],
    )
    buttons = page.get_by_role("button", name="Copy configuration")
    await expect(buttons.nth(SNIPPETS - 1)).to_be_visible()
    for button in await buttons.all():
        await button.click()
        await expect(button).to_contain_text("Copied")
        copied = await page.evaluate("navigator.clipboard.readText()")
        assert f"{mesh.url}/mcp" in copied
        name = (await button.get_attribute("aria-label") or "").removeprefix("Copy ")
        shown = await page.get_by_role("region", name=name).inner_text()
        assert copied.split() == shown.split()
    cursor = page.get_by_role("region", name="configuration for Cursor")
    assert "mcpServers" in json.loads(await cursor.inner_text())
