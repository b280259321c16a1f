"""The dashboard's page as browsers are given it: its files, how they are kept, and nothing else."""

import asyncio
import gzip
import re
from collections.abc import AsyncIterator, Mapping
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.interaction.keys import bearing, entry, key_of
from tests.interaction.mesh import Mesh, routing
from tests.interaction.wire import Reply, get, head, send
from trunkline_router.dashboard.assets import assets

pytestmark = pytest.mark.anyio

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
FILES = assets()
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}


@pytest.fixture
async def mesh() -> AsyncIterator[Mesh]:
    """A router that wants keys, with no server behind it that answers."""
    keys = [entry("eye", scopes=["observe"])]
    async with routing(
        {"one": "http://127.0.0.1:1"}, configured={"keys": keys}, settled=False
    ) as made:
        yield made


async def head_of(mesh: Mesh, path: str, headers: Mapping[str, str]) -> Reply:
    """Ask for the headers alone, and read all that comes."""
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(
            head(b"", {**headers, "Connection": "close"}, port=mesh.port, path=path, verb="HEAD")
        )
        raw = await reader.read()
        writer.close()
    first, *lines = raw.decode().removesuffix("\r\n\r\n").split("\r\n")
    told = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines)}
    return Reply(status=int(first.split()[1]), headers=told, body=raw.partition(b"\r\n\r\n")[2])


@pytest.mark.requirement("seeing.page")
async def test_a_browser_is_given_the_page_and_a_program_the_state(mesh: Mesh) -> None:
    """Without a key the page is there, and what it would show is not."""
    page = await get(mesh.port, "/", BROWSER)
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<html" in page.body
    assert page.headers["vary"] == "Accept, Accept-Encoding"
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        assert (await get(mesh.port, "/", accept)).status == 401
    shown = await get(mesh.port, "/", bearing(key_of("eye")))
    assert shown.json["mcp"] == "/mcp"
    assert shown.headers["x-content-type-options"] == "nosniff"


@pytest.mark.requirement("seeing.page")
async def test_a_browser_with_a_bearer_is_given_the_page_as_well(mesh: Mesh) -> None:
    """The page is the same for everybody, wrong keys and ended sessions included."""
    plain = await get(mesh.port, "/", BROWSER)
    for more in (bearing("tl_no_key"), {"Cookie": "trunkline_session=ended"}):
        assert (await get(mesh.port, "/", BROWSER | more)).body == plain.body


@pytest.mark.requirement("seeing.page")
async def test_every_answer_forbids_what_the_page_does_not_need(mesh: Mesh) -> None:
    """Files, refusals, logins: no inline script, no frame, no other origin, no guessed type."""
    replies = [
        await get(mesh.port, "/", BROWSER),
        await get(mesh.port, "/static/index.html"),
        await get(mesh.port, "/static/no-such-file.js"),
        await send(mesh.port, head(b"", {}, port=mesh.port, path="/static/index.html")),
        await get(mesh.port, "/login"),
        await send(mesh.port, head(b"", {}, port=mesh.port, path="/logout")),
    ]
    for reply in replies:
        told = dict(
            each.split(" ", 1) for each in reply.headers["content-security-policy"].split("; ")
        )
        assert told == POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cross-origin-opener-policy"] == "same-origin"


@pytest.mark.requirement("seeing.page")
async def test_what_is_read_with_a_key_is_neither_kept_nor_guessed_at(mesh: Mesh) -> None:
    """JSON is JSON, and stays out of every cache."""
    for path in ("/status", "/api/cache", "/api/session", "/api/connect", "/api/no-such"):
        reply = await get(mesh.port, path, bearing(key_of("eye")))
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", FILES)
async def test_each_file_of_the_package_is_served_as_it_is(mesh: Mesh, name: str) -> None:
    """To anybody, with its type, and byte for byte."""
    reply = await get(mesh.port, f"/static/{name}")
    assert reply.status == 200
    root = files("trunkline_router.dashboard") / "static"
    assert reply.body == root.joinpath(*name.split("/")).read_bytes()
    kinds = {
        "html": "text/html",
        "css": "text/css",
        "js": "text/javascript",
        "svg": "image/svg+xml",
    }
    kind = kinds.get(name.rpartition(".")[2])
    assert kind is None or reply.headers["content-type"] == f"{kind}; charset=utf-8"


async def test_what_a_browser_has_is_not_sent_again(mesh: Mesh) -> None:
    """RFC 9110, section 13.1.2: 304 without a body, as often as it is asked."""
    first = await get(mesh.port, "/", BROWSER)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await get(mesh.port, "/", BROWSER | {"If-None-Match": known})
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
        assert "content-security-policy" in again.headers
    for other in ('"other"', tag.strip('"'), ""):
        assert (await get(mesh.port, "/", BROWSER | {"If-None-Match": other})).status == 200


async def test_a_page_is_packed_for_who_unpacks_it(mesh: Mesh) -> None:
    """The same bytes once unpacked, and a tag of their own."""
    plain = await get(mesh.port, "/static/index.html")
    packed = await get(mesh.port, "/static/index.html", {"Accept-Encoding": "br, gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["etag"] != plain.headers["etag"]
    assert "content-encoding" not in plain.headers
    for others in ("gzip;q=0", "br, gzip; q=0.0", "xgzip", ""):
        reply = await get(mesh.port, "/static/index.html", {"Accept-Encoding": others})
        assert reply.body == plain.body


async def test_the_headers_alone_are_those_of_the_whole(mesh: Mesh) -> None:
    """HEAD names the length and the tag, and sends nothing."""
    whole = await get(mesh.port, "/", BROWSER)
    alone = await head_of(mesh, "/", BROWSER)
    assert (alone.status, alone.body) == (200, b"")
    for name in ("content-length", "content-type", "etag", "content-security-policy"):
        assert alone.headers[name] == whole.headers[name]


@pytest.mark.parametrize("verb", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
async def test_the_page_is_only_read(mesh: Mesh, verb: str) -> None:
    """405, and which methods there are."""
    for path in ("/static/index.html", "/"):
        reply = await send(mesh.port, head(b"", BROWSER, port=mesh.port, path=path, verb=verb))
        assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.requirement("seeing.page")
@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static",
        "/static//index.html",
        "/static/../assets.py",
        "/static/..%2fassets.py",
        "/static/%2e%2e/%2e%2e/app.py",
        "/static/..\\..\\app.py",
        "/static/index.html/",
        "/static/index.html%00.js",
        "/static/INDEX.HTML",
        "/static/./index.html.bak",
        "/static/%2fetc%2fpasswd",
        "/static/__init__.py",
        "/index.html",
    ],
)
async def test_nothing_is_served_but_the_files_of_the_page(mesh: Mesh, path: str) -> None:
    """What lies beside them, above them or nowhere is not there, and not open."""
    reply = await get(mesh.port, path)
    assert reply.status in {401, 404}
    assert b"import" not in reply.body


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(
        st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="?#"), max_size=40
    )
)
async def test_whatever_name_is_asked_for_is_a_file_of_the_page_or_none(
    mesh: Mesh, name: str
) -> None:
    """An answer is a whole file from the list, or a refusal in JSON."""
    reply = await get(mesh.port, f"/static/{name}")
    contents = {each.content for each in FILES.values()}
    assert reply.status in {400, 401, 404} or reply.body in contents


async def test_names_and_origins_are_checked_for_the_page_too(mesh: Mesh) -> None:
    """DNS rebinding: a name that is not the router's is given nothing."""
    assert (await get(mesh.port, "/", BROWSER | {"Host": "evil.example"})).status == 421
    assert (await get(mesh.port, "/", BROWSER | {"Origin": "http://evil.example"})).status == 403


@pytest.mark.requirement("seeing.page")
def test_the_page_holds_no_script_style_or_handler_of_its_own() -> None:
    """The policy would stop them: what runs comes from files, and every file it names is there."""
    page = FILES["index.html"].content.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    named = re.findall(r'(?:src|href)="/?static/([^"]+)"', page)
    assert named
    assert set(named) <= FILES.keys()


async def test_a_router_without_keys_gives_the_page_and_the_state() -> None:
    """On loopback nobody logs in."""
    async with routing({"one": "http://127.0.0.1:1"}, settled=False) as mesh:
        assert b"<html" in (await get(mesh.port, "/", BROWSER)).body
        assert (await get(mesh.port, "/")).json["name"] == "trunkline"
