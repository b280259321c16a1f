"""A session at work: what it reaches, what moves nothing for another page, and how it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.interaction.browsing import COOKIE, Browser, Later
from tests.interaction.keys import ask, bearing, entry, key_of
from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.reloading import bearer, following, key, server, until
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import Reply, get, head, modern, modern_headers
from trunkline_router.access.browser_sessions import LASTS_S
from trunkline_router.composition.plan import Surroundings
from trunkline_router.composition.router import serving
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import address, free_socket

pytestmark = pytest.mark.anyio

KEYS = [
    entry("boss", scopes=["observe", "tools", "contexts", "admin"]),
    entry("eye", scopes=["observe"]),
    entry("few", scopes=["observe", "tools"], allow=["mcp__one__act"], bind={"owner": "acme"}),
]
BREAKER = "/api/servers/one/breaker"


@pytest.fixture
def clock() -> Later:
    """A clock that a test puts forward."""
    return Later()


@pytest.fixture
async def behind() -> Scripted:
    """The server behind the router."""
    return Scripted(tools=[tool("act"), tool("other")])


@pytest.fixture
async def mesh(behind: Scripted, clock: Later) -> AsyncIterator[Mesh]:
    """A router that wants keys."""
    async with (
        running(behind) as url,
        routing({"one": url}, configured={"keys": KEYS}, clock=clock) as made,
    ):
        yield made


@pytest.fixture
async def boss(mesh: Mesh) -> Browser:
    """A browser logged in with a key that may do everything."""
    return await logged_in(mesh, "boss")


async def logged_in(mesh: Mesh, id_: str) -> Browser:
    """Return a browser in which someone has shown a key."""
    browser = Browser(mesh=mesh)
    assert (await browser.login(key_of(id_))).status == 204
    return browser


async def try_it(browser: Browser, name: str, **said: str) -> Reply:
    """Call a tool as the catalogue's form does."""
    body = modern("tools/call", {"name": name, "arguments": {}})
    mirrored = {
        name.replace("-", "_"): value for name, value in modern_headers("tools/call", name).items()
    }
    return await browser.post("/mcp", body, **(mirrored | said))


@pytest.mark.requirement("seeing.session")
@pytest.mark.parametrize(
    "path", ["/status", "/metrics", "/api/cache", "/api/session", "/api/connect", BREAKER, "/"]
)
async def test_a_session_reads_what_its_key_reads(boss: Browser, path: str) -> None:
    """Each page by the cookie alone, and none without."""
    assert (await boss.get(path)).status == 200
    assert (await get(boss.mesh.port, path)).status == 401


@pytest.mark.requirement("seeing.session")
async def test_a_session_calls_tools_and_resets_breakers(boss: Browser, behind: Scripted) -> None:
    """What the page offers beside reading: the server behind sees neither cookie nor key."""
    assert (await try_it(boss, "act")).result["isError"] is False
    assert "cookie" not in {name.lower() for name in behind.headers[-1]}
    assert (await boss.post(BREAKER)).json["state"] == "closed"
    assert (await boss.post("/api/cache", {"invalidate": "x:1"})).status == 200


@pytest.mark.requirement("seeing.session")
async def test_a_session_never_has_more_than_its_key(mesh: Mesh) -> None:
    """Scopes, globs and bindings are the key's own."""
    eye, few = await logged_in(mesh, "eye"), await logged_in(mesh, "few")
    assert (await eye.post(BREAKER)).status == 403
    assert (await try_it(eye, "act")).status == 403
    assert (await few.post(BREAKER)).status == 403
    assert (await try_it(few, "act")).status == 200
    assert (await try_it(few, "other")).error["code"] == -32602
    outside = await few.post("/mcp?owner=other", modern("tools/list"), **_mirrored("tools/list"))
    assert outside.status in {400, 403}


@pytest.mark.requirement("seeing.session")
async def test_a_job_token_minted_in_a_session_ends_with_it(boss: Browser, clock: Later) -> None:
    """It goes back to the same key, and lasts no longer than who asked for it."""
    clock.ahead_s += LASTS_S - 60
    minted = await boss.post("/contexts", {"bind": {}, "ttl_s": 3600})
    token = minted.json["token"]
    assert (await ask(boss.mesh, token)).status == 200
    clock.ahead_s += 61
    assert (await ask(boss.mesh, token)).status == 401


@pytest.mark.requirement("seeing.own-page")
@pytest.mark.parametrize(
    "said",
    [
        {"Origin": "http://evil.example", "Sec_Fetch_Site": ""},
        {"Origin": "http://localhost:1", "Sec_Fetch_Site": ""},
        {"Origin": "null", "Sec_Fetch_Site": ""},
        {"Origin": "", "Sec_Fetch_Site": "cross-site"},
        {"Origin": "", "Sec_Fetch_Site": "same-site"},
        {"Origin": "", "Sec_Fetch_Site": "none"},
        {"Origin": "", "Sec_Fetch_Site": ""},
        {"Sec_Fetch_Site": "cross-site"},
    ],
)
async def test_what_another_page_makes_the_browser_send_moves_nothing(
    boss: Browser, behind: Scripted, said: dict[str, str]
) -> None:
    """No call, no reset, no token, no bump: 403 before the body matters."""
    replies = [
        await try_it(boss, "act", **said),
        await boss.post(BREAKER, **said),
        await boss.post("/contexts", {"bind": {}}, **said),
        await boss.post("/api/cache", {"invalidate": "x:1"}, **said),
        await boss.post("/servers/one/mcp", modern("tools/list"), **said),
        await boss.post("/messages?session_id=x", b"{}", **said),
    ]
    assert [reply.status for reply in replies] == [403] * len(replies)
    assert behind.calls == []


@pytest.mark.requirement("seeing.own-page")
async def test_one_word_of_the_browser_is_enough_for_the_own_page(boss: Browser) -> None:
    """Origin, or Fetch Metadata: older browsers send but one of them."""
    assert (await boss.post(BREAKER, Origin="")).status == 200
    assert (await boss.post(BREAKER, Sec_Fetch_Site="")).status == 200
    here = f"http://localhost:{boss.mesh.port}"
    host = here.removeprefix("http://")
    assert (await boss.post(BREAKER, Origin=here, Host=host)).status == 200


@pytest.mark.requirement("seeing.own-page")
async def test_another_site_reads_nothing_either(boss: Browser) -> None:
    """A picture or a link from elsewhere is refused; an address that was typed in is not."""
    for site in ("cross-site", "same-site"):
        assert (await boss.get("/status", Origin="", Sec_Fetch_Site=site)).status == 403
    for site in ("none", ""):
        assert (await boss.get("/status", Origin="", Sec_Fetch_Site=site)).status == 200


async def test_a_bearer_needs_no_word_of_a_browser(boss: Browser) -> None:
    """It goes before the cookie, and no page can make a browser send it."""
    silent = {"Origin": "", "Sec_Fetch_Site": ""}
    both = bearing(key_of("eye"))["Authorization"]
    assert (await boss.get("/api/session", Authorization=both)).json["subject"] == "eye"
    admin = bearing(key_of("boss"))["Authorization"]
    assert (await boss.post(BREAKER, Authorization=admin, **silent)).status == 200
    wrong = await boss.get("/api/session", Authorization="Bearer tl_no_key")
    assert wrong.status == 401
    assert (await boss.get("/api/session", Authorization="Basic dGw6dGw=")).status == 401


@pytest.mark.requirement("seeing.login")
async def test_a_session_ends_after_twelve_hours(boss: Browser, clock: Later) -> None:
    """Used or not; what was open as a stream ends as well."""
    clock.ahead_s += LASTS_S - 60
    assert (await boss.get("/api/session")).status == 200
    clock.ahead_s += 61
    ended = await boss.get("/api/session")
    assert (ended.status, ended.json["error"]) == (401, "The session has ended; log in again.")


async def test_a_stream_ends_with_its_session(boss: Browser, clock: Later) -> None:
    """Who watched until the end of the session watches no longer."""
    clock.ahead_s += LASTS_S - 0.3
    async with watching(boss) as stream:
        await told_to_leave(stream)


HOSTILE = st.one_of(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=200),
    st.text('ab=;, "\\{}%', max_size=60).map(lambda text: f"{COOKIE}={text}"),
    st.lists(st.just(f"{COOKIE}=x"), max_size=4).map("; ".join),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HOSTILE)
async def test_a_made_up_cookie_opens_nothing(mesh: Mesh, cookie: str) -> None:
    """Whatever stands in it: nobody, as without a cookie."""
    assert (await get(mesh.port, "/api/session", {"Cookie": cookie})).status == 401


async def test_a_second_cookie_of_the_name_makes_both_worthless(boss: Browser) -> None:
    """One of them was planted by somebody: no guess is made which."""
    for both in (f"{boss.cookie}; {COOKIE}=x", f"{COOKIE}=x; {boss.cookie}"):
        assert (await boss.get("/api/session", Cookie=both)).status == 401
    among = f"theme=dark; {boss.cookie}; other={COOKIE}"
    assert (await boss.get("/api/session", Cookie=among)).status == 200


async def test_another_router_s_session_is_none(boss: Browser) -> None:
    """Without a common secret nobody signs for another."""
    async with routing(
        {"one": "http://127.0.0.1:1"}, configured={"keys": KEYS}, settled=False
    ) as other:
        stranger = Browser(mesh=other, cookie=boss.cookie)
        assert (await stranger.get("/api/session")).status == 401


@pytest.mark.requirement("seeing.session")
async def test_replicas_with_one_secret_share_sessions() -> None:
    """The cookie is all there is of a session: no router has to remember it."""
    given: dict[str, Any] = {
        "configured": {"keys": KEYS},
        "settled": False,
        "secret": "a-secret-that-they-share",
    }
    nowhere = {"one": "http://127.0.0.1:1"}
    async with routing(nowhere, **given) as one, routing(nowhere, **given) as two:
        browser = await logged_in(one, "boss")
        other = Browser(mesh=two, cookie=browser.cookie)
        assert (await other.get("/api/session")).json["subject"] == "boss"


@pytest.mark.requirement("seeing.login")
async def test_a_session_ends_when_its_key_is_revoked_or_made_anew(tmp_path: Path) -> None:
    """On reload: gone, replaced, or with less scope, it is no more than the key is now."""
    async with running(Scripted()) as url:
        servers = {"one": server(url)}
        seeing = {"scopes": ["observe", "tools"]}

        def keyed(*keys: object) -> dict[str, object]:
            return {"servers": servers, "keys": list(keys)}

        both = keyed(key("first", **seeing), key("second", **seeing))
        async with following(tmp_path / "trunkline.yaml", both) as here:
            first, second = Browser(mesh=here.mesh), Browser(mesh=here.mesh)
            for id_, browser in (("first", first), ("second", second)):
                reply = await browser.login(bearer(id_).removeprefix("Bearer "))
                assert reply.status == 204

            anew = {**key("second", **seeing), "hash": "0" * 64}
            async with watching(second) as stream:
                here.write(keyed(key("first", scopes=["observe"]), anew))
                await told_to_leave(stream)
            assert await _is(second, 401)
            assert (await first.get("/api/session")).json["scopes"] == ["observe"]
            here.write(keyed(key("third", **seeing)))
            await until(lambda: _is(first, 401))
            assert await _is(second, 401)


@pytest.mark.requirement("seeing.login")
async def test_a_session_outlives_a_rotated_secret_until_that_is_taken_out() -> None:
    """`TRUNKLINE_SECRET` is a list: the old one counts as long as it is in it, and no longer."""
    old, new = "the-old-secret-of-this-test", "the-new-secret-of-this-test"
    now = [_settings(old)]
    around = Surroundings(
        terms=QUICK,
        configuration=Configuration.model_validate({"keys": KEYS}),
        store=in_process_store(),
        reread=lambda: now[0],
    )
    on = free_socket()
    async with asyncio.timeout(20), serving(now[0], on, around) as catalog:
        browser = await logged_in(Mesh(url=address(on), catalog=catalog, spans=[]), "boss")
        now[0] = _settings(f"{new},{old}")
        around.reload.set()
        await until(lambda: _reread(around))
        assert await _is(browser, 200)
        now[0] = _settings(new)
        around.reload.set()
        await until(lambda: _is(browser, 401))
        await browser.login(key_of("boss"))
        assert await _is(browser, 200)


def _settings(secret: str) -> RouterSettings:
    urls = {"one": "http://127.0.0.1:1/mcp"}
    return RouterSettings.model_validate({"server_urls": urls, "secret": secret})


async def _reread(around: Surroundings) -> bool:
    await asyncio.sleep(0)
    return not around.reload.is_set()


async def _is(browser: Browser, status: int) -> bool:
    return (await browser.get("/api/session")).status == status


@asynccontextmanager
async def watching(browser: Browser) -> AsyncIterator[asyncio.StreamReader]:
    """Have a stream of events open as the page does."""
    reader, writer = await asyncio.open_connection("127.0.0.1", browser.mesh.port)
    headers = browser.page | {"Cookie": browser.cookie}
    writer.write(head(b"", headers, port=browser.mesh.port, path="/api/cache/events", verb="GET"))
    try:
        async with asyncio.timeout(5):
            assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
        yield reader
    finally:
        writer.close()


async def told_to_leave(reader: asyncio.StreamReader) -> None:
    """Wait until a stream says that it may not be watched any longer."""
    async with asyncio.timeout(5):
        await reader.readuntil(b"event: refused")


def _mirrored(method: str) -> dict[str, str]:
    return {name.replace("-", "_"): value for name, value in modern_headers(method).items()}
