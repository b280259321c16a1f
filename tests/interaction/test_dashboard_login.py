"""Logging in to the dashboard: a key in, a cookie out that holds none, and bounds on guessing."""

import asyncio
import base64
from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from urllib.parse import quote

import pytest

from tests.interaction.authorization import AuthorizationServer, issuing
from tests.interaction.browsing import COOKIE, Browser, Later
from tests.interaction.keys import SECRET_PART, bearing, entry, key_of
from tests.interaction.mesh import Mesh, routing
from tests.interaction.wire import Reply, head, post, read_reply

pytestmark = pytest.mark.anyio

NOWHERE = {"one": "http://127.0.0.1:1"}
KEYS = [
    entry("eye", scopes=["observe", "tools", "contexts"]),
    entry("bot", scopes=["tools"]),
]
EYE = key_of("eye")
WRONG = key_of("eye", "AnotherSecretPartOfAnotherKeyAlto")


@pytest.fixture
def clock() -> Later:
    """A clock that a test puts forward."""
    return Later()


@pytest.fixture
async def mesh(clock: Later) -> AsyncIterator[Mesh]:
    """A router that wants keys, with no server behind it that answers."""
    async with routing(NOWHERE, configured={"keys": KEYS}, settled=False, clock=clock) as made:
        yield made


@pytest.fixture
async def browser(mesh: Mesh) -> Browser:
    """A browser that has not logged in."""
    return Browser(mesh=mesh)


def cookie_of(reply: Reply) -> dict[str, str]:
    """Return what a cookie says besides its name."""
    (morsel,) = SimpleCookie(reply.headers["set-cookie"]).values()
    assert morsel.key == COOKIE
    given = {name: str(value) for name, value in morsel.items() if value}
    return given | {"value": morsel.value}


@pytest.mark.requirement("seeing.login")
async def test_a_key_opens_the_dashboard_through_a_cookie_that_holds_none(browser: Browser) -> None:
    """No script reads it, no other site sends it, it lasts twelve hours; the key is not in it."""
    assert (await browser.get("/api/session")).status == 401
    reply = await browser.login(EYE)
    assert (reply.status, reply.body, reply.headers["cache-control"]) == (204, b"", "no-store")
    cookie = cookie_of(reply)
    value = cookie.pop("value")
    assert cookie == {"path": "/", "max-age": "43200", "httponly": "True", "samesite": "Strict"}
    assert SECRET_PART.encode() not in base64.urlsafe_b64decode(value + "==")
    shown = await browser.get("/api/session")
    assert shown.json == {
        "subject": "eye",
        "scopes": ["contexts", "observe", "tools"],
        "authenticates": True,
        "version": shown.json["version"],
        "base": browser.mesh.url,
    }


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (f"key={quote(EYE)}", "application/x-www-form-urlencoded"),
        (f"other=1&key=+{quote(EYE)}%0A", "application/x-www-form-urlencoded; charset=utf-8"),
        (f'{{"key": " {EYE}\\n"}}', "application/json; charset=utf-8"),
        (f'{{"key": "{EYE}"}}', "text/plain"),
    ],
)
async def test_a_form_does_as_well(browser: Browser, body: str, kind: str) -> None:
    """Blanks that were pasted along do not matter."""
    browser.take(await browser.post("/login", body.encode(), Content_Type=kind))
    assert (await browser.get("/api/session")).status == 200


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "application/json"),
        (b"no JSON", "application/json"),
        (b"[]", "application/json"),
        (b'{"key": null}', "application/json"),
        (b'{"key": ["tl_a_b"]}', "application/json"),
        (b'{"key": "  "}', "application/json"),
        (b'{"clef": "tl_a_b"}', "application/json"),
        (b"clef=1", "application/x-www-form-urlencoded"),
        (b"\xff" * 30, "application/x-www-form-urlencoded"),
        (b"&".join([b"key=a"] * 50), "application/x-www-form-urlencoded"),
    ],
)
async def test_a_body_without_a_key_is_told_what_to_send(
    browser: Browser, body: bytes, kind: str
) -> None:
    """It is no guess, and counts for none."""
    for _ in range(12):
        reply = await browser.post("/login", body, Content_Type=kind)
        assert (reply.status, "tl_" in reply.json["error"]) == (400, True)
        assert "set-cookie" not in reply.headers


async def test_a_body_that_never_ends_is_cut_off(browser: Browser) -> None:
    """64 KiB are many keys."""
    assert (await browser.post("/login", b'{"key": "' + b"a" * 70_000)).status == 413


@pytest.mark.requirement("seeing.login")
@pytest.mark.parametrize(
    "key", [WRONG, key_of("nobody"), "tl_", "tl_eye", "x", "a.b.c", "session:x", "é\x00\x7f"]
)
async def test_a_wrong_key_opens_nothing(
    browser: Browser, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    """401, without a cookie, in words for people; what was shown is nowhere to be read."""
    caplog.set_level("DEBUG")
    reply = await browser.login(key)
    assert reply.status == 401
    assert set(reply.json) == {"error"}
    assert "set-cookie" not in reply.headers
    assert "AnotherSecret" not in caplog.text
    assert SECRET_PART not in caplog.text
    assert "a login from 127.0.0.1 was refused" in caplog.text


@pytest.mark.requirement("seeing.login")
async def test_a_key_that_may_not_look_is_told_what_it_lacks(browser: Browser) -> None:
    """403 with the scope's name, and no cookie; it is no guess."""
    for _ in range(12):
        reply = await browser.login(key_of("bot"))
        assert (reply.status, "observe" in reply.json["error"]) == (403, True)
        assert "valid" in reply.json["error"]
    assert browser.cookie == ""


async def test_a_job_token_opens_no_session(browser: Browser) -> None:
    """It is bound to one job, and a session would not be."""
    minted = await post(browser.mesh.port, b'{"scopes": ["observe"]}', bearing(EYE), "/contexts")
    reply = await browser.login(minted.json["token"])
    assert (reply.status, browser.cookie) == (401, "")


async def test_a_session_opens_no_other(browser: Browser) -> None:
    """Its end is its end: who holds a cookie cannot prolong it."""
    await browser.login(EYE)
    value = browser.cookie.partition("=")[2]
    for shown in (value, f"session:{value}"):
        assert (await browser.login(shown)).status == 401


@pytest.mark.requirement("seeing.login-limit")
async def test_who_guesses_waits_and_nobody_else_does(browser: Browser, clock: Later) -> None:
    """Ten a minute from one address; the wait is told, and the right key waits as well."""
    for _ in range(10):
        assert (await browser.login(WRONG)).status == 401
    refused = await browser.login(EYE)
    assert refused.status == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert "try again in" in refused.json["error"]
    assert (await _login_from("127.0.0.2", browser, EYE)).status == 204
    clock.ahead_s += 60
    assert (await browser.login(EYE)).status == 204


async def test_whoever_is_in_stays_in_while_others_guess(browser: Browser) -> None:
    """The limit is for the login; sessions and keys go on, from the same address too."""
    await browser.login(EYE)
    other = Browser(mesh=browser.mesh)
    for _ in range(15):
        await other.login(WRONG)
    assert (await browser.get("/api/session")).status == 200
    assert (await other.get("/api/session", Authorization=f"Bearer {EYE}")).status == 200


@pytest.mark.requirement("seeing.own-page")
@pytest.mark.parametrize("path", ["/login", "/logout"])
@pytest.mark.parametrize(
    "said",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:1"},
        {"Origin": "null"},
        {"Origin": "", "Sec_Fetch_Site": "cross-site"},
        {"Origin": "", "Sec_Fetch_Site": "same-site"},
    ],
)
async def test_no_other_page_logs_anybody_in_or_out(
    browser: Browser, path: str, said: dict[str, str]
) -> None:
    """Another port of this very host is another page."""
    reply = await browser.post(path, {"key": EYE}, **said)
    assert reply.status == 403
    assert "set-cookie" not in reply.headers


@pytest.mark.parametrize("path", ["/login", "/logout"])
async def test_logging_in_and_out_are_posts(browser: Browser, path: str) -> None:
    """A link or a picture does neither."""
    reply = await browser.get(path)
    assert (reply.status, reply.headers["allow"]) == (405, "POST")
    assert "set-cookie" not in reply.headers


async def test_logging_out_takes_the_cookie_away(browser: Browser) -> None:
    """With a session, without one, and as often as one likes."""
    await browser.login(EYE)
    reply = await browser.post("/logout")
    assert (reply.status, cookie_of(reply)["value"]) == (204, "")
    browser.take(reply)
    assert (await browser.get("/api/session")).status == 401
    assert (await browser.post("/logout")).status == 204


async def test_behind_https_the_cookie_goes_over_https_alone() -> None:
    """By the public URL: the router itself may well be spoken to in HTTP."""
    public = "https://trunkline.example"
    async with routing(
        NOWHERE, configured={"keys": KEYS}, settled=False, public_url=public
    ) as mesh:
        browser = Browser(mesh=mesh, page={"Host": "trunkline.example", "Origin": public})
        assert cookie_of(await browser.login(EYE))["secure"] == "True"
        assert (await browser.get("/api/session")).json["base"] == public
        assert (await browser.post("/logout")).headers["set-cookie"].endswith("; Secure")


@pytest.mark.requirement("seeing.login")
async def test_without_keys_there_is_nothing_to_log_in_to() -> None:
    """Everybody on loopback is let in; a cookie of earlier times changes nothing."""
    async with routing(NOWHERE, settled=False) as mesh:
        browser = Browser(mesh=mesh)
        assert (await browser.login(EYE)).status == 404
        browser.cookie = f"{COOKIE}=of-earlier-times"
        shown = await browser.get("/api/session")
        assert (shown.status, shown.json["authenticates"], shown.json["subject"]) == (
            200,
            False,
            "local",
        )
        assert (await browser.post("/logout")).status == 204


@pytest.mark.requirement("seeing.login")
async def test_an_access_token_opens_a_session_that_ends_with_it(clock: Later) -> None:
    """Its scopes are the session's; one for a single server's endpoint opens none."""
    async with issuing(AuthorizationServer()) as issuer:
        configured = {"oauth": {"issuer": issuer.issuer}}
        async with routing(NOWHERE, configured=configured, settled=False, clock=clock) as mesh:
            browser = Browser(mesh=mesh)
            short = await browser.login(issuer.token(mesh.mcp))
            assert (short.status, "observe" in short.json["error"]) == (403, True)
            one = issuer.token(f"{mesh.url}/servers/one/mcp", scope="tools observe")
            assert (await browser.login(one)).status == 403
            reply = await browser.login(issuer.token(mesh.mcp, scope="tools observe"))
            assert 300 <= int(cookie_of(reply)["max-age"]) <= 331
            shown = (await browser.get("/api/session")).json
            assert (shown["subject"], shown["scopes"]) == (
                "oauth:alice:agent",
                ["observe", "tools"],
            )
            clock.ahead_s += 332
            assert (await browser.get("/api/session")).status == 401


@pytest.mark.requirement("seeing.login")
async def test_neither_key_nor_session_is_logged_or_traced(
    browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    """Who logged in is; what opens anything is not."""
    caplog.set_level("DEBUG")
    await browser.login(EYE)
    await browser.get("/api/session")
    await browser.get("/api/session", Cookie=f"{browser.cookie}x")
    await browser.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    value = browser.cookie.partition("=")[2]
    told = caplog.text + "".join(f"{span.name} {span.attributes}" for span in browser.mesh.spans)
    assert "eye has logged in to the dashboard from 127.0.0.1" in told
    assert browser.mesh.spans
    assert SECRET_PART not in told
    assert value not in told


async def _login_from(address: str, browser: Browser, key: str) -> Reply:
    body = f'{{"key": "{key}"}}'.encode()
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", browser.mesh.port, local_addr=(address, 0)
        )
        writer.write(head(body, browser.page, port=browser.mesh.port, path="/login") + body)
        reply = await read_reply(reader)
        writer.close()
    return reply
