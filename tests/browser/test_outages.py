"""What is not there is said; the rest of the page stays readable, and comes back by itself."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.browsing import Browsing
from tests.browser.visiting import visit
from tests.interaction.guarding import Mood, sick
from tests.interaction.keys import entry, key_of
from tests.interaction.mesh import Mesh, routing
from tests.interaction.restarting import restartable
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import get, modern, modern_headers, post

pytestmark = pytest.mark.anyio

BACK_MS = 20_000
BOSS, EYE = "boss", "eye"
KEYS = [
    entry(BOSS, scopes=["tools", "observe", "admin"]),
    entry(EYE, scopes=["tools", "observe"]),
]


def server(page: Page, name: str) -> Locator:
    """Return a server's row on the overview."""
    return page.get_by_role("listitem").filter(
        has=page.get_by_role("heading", name=name, exact=True)
    )


@pytest.mark.requirement("seeing.page-outages")
async def test_a_server_that_goes_is_shown_until_it_is_back(browsing: Browsing) -> None:
    """The other one stays as it is, its calls are still told, and no reload is needed."""
    async with AsyncExitStack() as stack:
        steady = await stack.enter_async_context(running(Scripted()))
        shaky = Scripted()
        async with running(shaky) as shaky_url:
            port = int(shaky_url.rpartition(":")[2])
            urls = {"steady": steady, "shaky": shaky_url}
            mesh = await stack.enter_async_context(routing(urls))
            page = await visit(browsing, mesh.url)
            await expect(server(page, "shaky")).to_contain_text("available")
        for _ in range(3):
            await called(mesh.port, "/servers/shaky/mcp")
        await expect(server(page, "shaky")).not_to_contain_text("available")
        await expect(server(page, "steady")).to_contain_text("available")
        await expect(page.get_by_role("banner")).to_contain_text("1 of 2 servers available")
        await called(mesh.port, "/servers/steady/mcp")
        feed = page.get_by_role("list", name="Latest calls")
        await expect(feed.get_by_text("steady.").first).to_be_visible()
        await stack.enter_async_context(running(shaky, port))
        await expect(server(page, "shaky")).to_contain_text("available", timeout=BACK_MS)
        await page.close()


@pytest.mark.requirement("seeing.page-outages")
async def test_a_router_that_restarts_is_told_and_found_again(browsing: Browsing) -> None:
    """What is shown is said to be old, stays readable, and is new again when the router is back."""
    browsing.outage = True
    async with running(Scripted()) as url, restartable({"a": url}) as router:
        page = await visit(browsing, router.url)
        await expect(server(page, "a")).to_contain_text("available")
        await router.stop()
        alert = page.get_by_role("alert").filter(has_text="not reached")
        await expect(alert).to_be_visible()
        await expect(server(page, "a")).to_be_visible()
        await expect(page.get_by_role("banner")).to_contain_text("Offline")
        await router.start()
        await expect(alert).to_be_hidden(timeout=BACK_MS)
        await called(router.port)
        feed = page.get_by_role("list", name="Latest calls")
        await expect(feed.get_by_text("a.act").first).to_be_visible()
        await page.close()


async def called(port: int, path: str = "/mcp") -> None:
    """Call a tool of a router."""
    body = modern("tools/call", {"name": "act", "arguments": {}})
    answer = await post(port, body, modern_headers("tools/call", "act"), path)
    assert answer.status == 200


@pytest.mark.requirement("seeing.page-outages")
async def test_a_page_that_opens_before_its_router_is_up_begins_later(browsing: Browsing) -> None:
    """Its first question fails: it asks again by itself."""
    browsing.outage = True
    async with running(Scripted()) as url, restartable({"a": url}) as router:
        page = await browsing.blank()
        await page.route("**/api/**", lambda route: route.abort())
        await page.goto(router.url)
        await expect(page.get_by_role("alert").filter(has_text="not reached")).to_be_visible()
        await page.unroute("**/api/**")
        await expect(server(page, "a")).to_contain_text("available", timeout=BACK_MS)
        await page.close()


@pytest.fixture(scope="module")
async def mesh(anyio_backend: str) -> AsyncIterator[Mesh]:
    """A mesh with a server that is ill."""
    async with (
        running(Scripted(answer=Mood(error=sick()))) as url,
        routing({"ill": url}, configured={"keys": KEYS}) as ill,
    ):
        yield ill


async def open_breaker(mesh: Mesh) -> None:
    """Call the server that is ill until its breaker opens."""
    headers = {"Authorization": f"Bearer {key_of(BOSS)}"} | modern_headers("tools/call", "act")
    for _ in range(3):
        await post(mesh.port, modern("tools/call", {"name": "act", "arguments": {}}), headers)


async def state(mesh: Mesh) -> str:
    """Return how the breaker stands at the router."""
    told = await get(
        mesh.port, "/api/servers/ill/breaker", {"Authorization": f"Bearer {key_of(EYE)}"}
    )
    return str(told.json["state"])


@pytest.mark.requirement("seeing.page-breaker")
async def test_an_admin_resets_a_breaker(browsing: Browsing, mesh: Mesh) -> None:
    """After a question that can be declined; then the router's breaker is closed."""
    await open_breaker(mesh)
    page = await visit(browsing, mesh.url, by=BOSS)
    row = server(page, "ill")
    await expect(row).to_contain_text("breaker open")
    await row.get_by_role("button", name="Reset breaker").click()
    await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert await state(mesh) == "open"
    await row.get_by_role("button", name="Reset breaker").click()
    await page.get_by_role("dialog").get_by_role("button", name="Reset breaker").click()
    await expect(row).not_to_contain_text("breaker open")
    assert await state(mesh) == "closed"


@pytest.mark.requirement("seeing.page-breaker")
async def test_an_observer_resets_none(browsing: Browsing, mesh: Mesh) -> None:
    """The page offers it not, and the router refuses whoever asks all the same."""
    browsing.outage = True
    await open_breaker(mesh)
    page = await visit(browsing, mesh.url, by=EYE)
    row = server(page, "ill")
    await expect(row).to_contain_text("breaker open")
    await expect(row.get_by_role("button")).to_have_count(0)
    status = await page.evaluate(
        "async () => (await fetch('api/servers/ill/breaker', { method: 'POST' })).status"
    )
    assert status == 403
    assert await state(mesh) == "open"
