"""What the page says so that somebody can act on it: in a terminal, in a form, with another key."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.browser.browsing import Browsing
from tests.browser.visiting import visit
from tests.browser.worlds import BOSS
from tests.interaction.keys import entry
from tests.interaction.mesh import Mesh, routing, sample_server
from tests.interaction.trunkline_process import ended, environment
from trunkline_router.configuration.file import read_configuration
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

WATCHER = "watcher"
KEYS = [entry(BOSS, scopes=["tools", "observe", "admin"]), entry(WATCHER, scopes=["observe"])]


@pytest.fixture(scope="module")
async def mesh(anyio_backend: str) -> AsyncIterator[Mesh]:
    """Two servers, behind a router at an address that is nobody's default."""
    async with (
        serving(sample_server()) as one,
        serving(sample_server()) as other,
        routing({"one": one, "other": other}, configured={"keys": KEYS}) as running,
    ):
        yield running


@pytest.mark.requirement("seeing.page-catalogue")
@pytest.mark.parametrize("place", ["catalogue", "catalogue/one/count"])
async def test_who_may_only_look_is_told_once_what_the_catalogue_needs(
    browsing: Browsing, mesh: Mesh, place: str
) -> None:
    """Nothing is asked that is known to be refused: it would stand in everybody's feed."""
    asked: list[str] = []
    page = await visit(browsing, mesh.url, place, by=WATCHER)
    page.on("request", lambda request: asked.append(request.url))
    await page.reload()
    needed = page.get_by_role("main").get_by_text("This needs the scope tools")
    await expect(needed).to_have_count(1)
    await expect(page.get_by_role("banner")).to_contain_text("2 servers")
    assert not [url for url in asked if "/servers/" in url]


@pytest.mark.requirement("seeing.page-try-it")
async def test_the_command_for_a_terminal_goes_to_this_router(
    browsing: Browsing, mesh: Mesh
) -> None:
    """Whichever one a terminal would find by itself."""
    page = await visit(browsing, mesh.url, "catalogue/one/count", by=BOSS)
    command = page.get_by_role("region", name="trunkline command")
    await expect(command).to_contain_text(
        f"TRUNKLINE_PUBLIC_URL={mesh.url} trunkline call one.count"
    )


@pytest.mark.requirement("seeing.page-try-it")
async def test_a_field_says_what_it_wants_not_what_it_has(browsing: Browsing, mesh: Mesh) -> None:
    """A text where a number belongs."""
    page = await visit(browsing, mesh.url, "catalogue/one/count", by=BOSS)
    field = page.get_by_role("textbox").first
    await field.fill("abc")
    await page.get_by_role("button", name="Call").click()
    await expect(field).to_have_accessible_description(re.compile("Must be a whole number"))


@pytest.mark.requirement("seeing.page-connect")
async def test_who_connects_a_client_is_told_where_its_key_belongs(
    browsing: Browsing, mesh: Mesh
) -> None:
    """The snippets name a variable, which is of no use to a client that does not have it."""
    page = await visit(browsing, mesh.url, "connect", by=BOSS)
    await expect(
        page.get_by_text("TRUNKLINE_API_KEY must hold the key where the client starts")
    ).to_be_visible()


@pytest.mark.requirement("seeing.page-login")
@pytest.mark.parametrize(("by", "place"), [("", ""), (WATCHER, "audit")])
async def test_the_command_that_makes_a_key_makes_one(
    browsing: Browsing, mesh: Mesh, tmp_path: Path, by: str, place: str
) -> None:
    """As it is shown, with a name: it is a key that opens what was closed."""
    browsing.outage = True
    page = await visit(browsing, mesh.url, place, by=by)
    shown = await page.get_by_text("trunkline key create").inner_text()
    words = shown.replace("NAME", "new").split()[1:]
    made = await ended(*words, env=environment(tmp_path), cwd=tmp_path)
    assert made.code == 0, made.err
    (key,) = read_configuration(tmp_path / "trunkline.yaml").keys
    assert key.scopes == (("observe", "admin") if place else ("observe",))
