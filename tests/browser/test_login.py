"""Who comes in: with a key of one's own, for as long as that key is worth something."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.browser.browsing import Browsing
from tests.browser.visiting import log_in, visit
from tests.browser.worlds import BOSS, EYE, KEYS
from tests.interaction.keys import SECRET_PART, key_of
from tests.interaction.mesh import Mesh, routing, sample_server
from tests.interaction.reloading import following, key, server
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def mesh(anyio_backend: str) -> AsyncIterator[Mesh]:
    """A mesh whose router asks for keys."""
    async with (
        serving(sample_server()) as url,
        routing({"sample": url}, configured={"keys": KEYS}) as running,
    ):
        yield running


async def kept_by(page: Page) -> str:
    """Return all that a script of the page could read of what the browser keeps."""
    return str(
        await page.evaluate(
            "JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])"
        )
    )


@pytest.mark.requirement("seeing.page-login")
async def test_a_key_opens_the_page_and_is_kept_nowhere(browsing: Browsing, mesh: Mesh) -> None:
    """Before it nothing is shown but the form; the page's scripts cannot find the key again."""
    browsing.outage = True
    page = await visit(browsing, mesh.url)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
    await expect(page.get_by_text("sample")).to_have_count(0)
    await log_in(page, key_of(EYE))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    await expect(page.get_by_role("banner")).to_contain_text(EYE)
    assert SECRET_PART not in await kept_by(page)
    await page.reload()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Overview")


@pytest.mark.requirement("seeing.page-login")
async def test_a_wrong_key_is_told_and_leaves_the_form(browsing: Browsing, mesh: Mesh) -> None:
    """The fault is announced, and the next key is taken."""
    browsing.outage = True
    page = await visit(browsing, mesh.url)
    await log_in(page, key_of(EYE, "notthesecret"))
    fault = page.get_by_role("alert").filter(has_text="key")
    await expect(fault).to_be_visible()
    await expect(page.get_by_label("API key")).to_be_focused()
    await log_in(page, key_of(EYE))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Overview")


@pytest.mark.requirement("seeing.page-login")
async def test_a_key_without_observe_is_told_what_it_lacks(browsing: Browsing, mesh: Mesh) -> None:
    """An agent's key may call tools and see nothing."""
    browsing.outage = True
    page = await visit(browsing, mesh.url)
    await log_in(page, key_of("codex"))
    await expect(page.get_by_role("alert").filter(has_text="observe")).to_be_visible()


@pytest.mark.requirement("seeing.page-login")
async def test_who_logs_out_leaves_nothing_on_the_page(browsing: Browsing, mesh: Mesh) -> None:
    """The form is there again, also after a reload, and nothing of the mesh is."""
    browsing.outage = True
    page = await visit(browsing, mesh.url, by=BOSS)
    await expect(page.get_by_role("heading", name="sample")).to_be_visible()
    await page.get_by_role("button", name="Log out").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
    await expect(page.get_by_text("sample")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Log in")


@pytest.mark.requirement("seeing.page-login")
async def test_a_revoked_key_ends_the_visit(browsing: Browsing, tmp_path: Path) -> None:
    """Whoever looks when the key is taken back sees the form soon, without touching the page."""
    browsing.outage = True
    eye, other = key("eye", scopes=["observe"]), key("other", scopes=["observe"])
    async with serving(sample_server()) as url:
        servers = {"sample": server(url)}
        async with following(
            tmp_path / "trunkline.yaml", {"servers": servers, "keys": [eye, other]}
        ) as router:
            page = await visit(browsing, router.mesh.url)
            await log_in(page, "tl_eye_eye")
            await expect(page.get_by_role("heading", name="sample")).to_be_visible()
            router.write({"servers": servers, "keys": [other]})
            await expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
            await expect(page.get_by_text("sample")).to_have_count(0)
            await page.close()
