"""API keys: who shows one is let in as far as it reaches, and nobody else is."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.interaction.keys import SECRET_PART, ask, ask_legacy, entry, key_of, read
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import LEGACY_HEADERS, get, head, modern, modern_headers, post, send

pytestmark = pytest.mark.anyio

KEYS = [
    entry("ci-bot", scopes=["tools"]),
    entry("eye", "EyesOnlyEyesOnlyEyesOnlyEyes", scopes=["observe"]),
    entry("few", "FewToolsFewToolsFewToolsFewTools", allow=["mcp__one__a*"], deny=["*__act_big"]),
]
FEW = key_of("few", "FewToolsFewToolsFewToolsFewTools")
EYE = key_of("eye", "EyesOnlyEyesOnlyEyesOnlyEyes")
BOT = key_of("ci-bot")


@pytest.fixture
async def server() -> Scripted:
    """A server with four tools."""
    return Scripted(tools=[tool("act"), tool("act_big"), tool("ask"), tool("write")])


@pytest.fixture
async def mesh(server: Scripted) -> AsyncIterator[Mesh]:
    """A router that wants keys."""
    async with running(server) as url, routing({"one": url}, configured={"keys": KEYS}) as made:
        yield made


@pytest.mark.requirement("gateway.keys", "bridge.no-relay")
async def test_a_key_lets_its_holder_in_in_both_eras(mesh: Mesh, server: Scripted) -> None:
    """Lists and calls answer; the server behind never sees the key."""
    assert (await ask(mesh, BOT)).status == 200
    assert (await ask_legacy(mesh, BOT)).status == 200
    called = await ask(mesh, BOT, "tools/call", {"name": "act", "arguments": {}})
    assert called.status == 200
    assert "authorization" not in server.headers[-1]


@pytest.mark.requirement("gateway.keys")
@pytest.mark.parametrize(
    "path",
    ["/mcp", "/servers/one/mcp", "/servers/no-such/mcp", "/sse", "/messages", "/servers/one/sse"],
)
async def test_without_a_token_the_answer_is_a_challenge(mesh: Mesh, path: str) -> None:
    """401 and plain `Bearer` in every form of request, before anything is said of the mesh."""
    replies = [
        await ask(mesh, None, path=path),
        await ask_legacy(mesh, None, path=path),
        await post(mesh.port, b"no JSON at all", path=path),
        await get(mesh.port, path),
        await send(mesh.port, head(b"", {}, port=mesh.port, path=path, verb="DELETE")),
    ]
    for reply in replies:
        assert reply.status == 401
        assert reply.headers["www-authenticate"] == "Bearer"
        assert "one" not in reply.error["message"].split()
        assert reply.json["id"] is None


@pytest.mark.requirement("gateway.keys")
@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'[{"jsonrpc":"2.0","method":"notifications/initialized"}]',
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b"[]",
    ],
)
async def test_what_asks_for_nothing_is_refused_without_a_token_too(
    mesh: Mesh, body: bytes
) -> None:
    """A notification, a batch of them and a response are 401, never 202."""
    for bearer in ({}, {"Authorization": f"Bearer {key_of('ci-bot', 'wrong')}"}):
        assert (await post(mesh.port, body, LEGACY_HEADERS | bearer)).status == 401


@pytest.mark.requirement("gateway.keys")
@pytest.mark.parametrize(
    "bearer",
    [
        key_of("ci-bot", "AnotherSecretPartOfAnotherKeyAlto"),
        key_of("nobody"),
        key_of("eye"),
        key_of("ci-bot", ""),
        "tl_ci-bot",
        "tl__",
        "tl_",
    ],
)
async def test_a_wrong_key_is_refused_in_the_same_words_whatever_is_wrong(
    mesh: Mesh, bearer: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An unknown id and a wrong secret cannot be told apart; the key is nowhere to be read."""
    caplog.set_level("DEBUG")
    reply = await ask(mesh, bearer)
    assert reply.status == 401
    assert reply.error["data"] == {"reason": "invalid_token"}
    assert reply.error["message"].startswith("The API key is not valid: it was mistyped, revoked")
    told = reply.headers["www-authenticate"]
    assert told == f'Bearer error="invalid_token", error_description="{reply.error["message"]}"'
    assert SECRET_PART not in caplog.text
    assert bearer not in caplog.text


@pytest.mark.requirement("gateway.keys")
@pytest.mark.parametrize("bearer", ["x", "a.b.c", "eyJhbGciOiJIUzI1NiJ9.e30.x", "", "é", "\x7f"])
async def test_what_is_no_token_of_ours_is_refused(mesh: Mesh, bearer: str) -> None:
    """clients.md 17: a configured header that is wrong gets a 401 at once, and nothing more."""
    reply = await ask(mesh, bearer.encode().decode("latin-1"))
    assert reply.status in {400, 401}
    assert (await read(mesh, BOT, "/healthz")).status == 200


async def test_another_scheme_is_no_token(mesh: Mesh) -> None:
    """`Basic` with whatever is asked for a bearer; the scheme's case does not matter."""
    headers = modern_headers("tools/list")
    basic = await post(
        mesh.port, modern("tools/list"), headers | {"Authorization": "Basic dGw6dGw="}
    )
    assert (basic.status, basic.headers["www-authenticate"]) == (401, "Bearer")
    lower = await post(
        mesh.port, modern("tools/list"), headers | {"Authorization": f"bearer {BOT}"}
    )
    assert lower.status == 200


@pytest.mark.requirement("gateway.scopes")
async def test_each_page_asks_for_its_scope(mesh: Mesh) -> None:
    """`tools` opens the endpoints, `observe` the state; what is missing is named in the 403."""
    for path in ("/status", "/"):
        assert (await read(mesh, EYE, path)).status == 200
        stranger = await read(mesh, None, path)
        assert (stranger.status, stranger.headers["www-authenticate"]) == (401, "Bearer")
        assert set(stranger.json) == {"error"}
        short = await read(mesh, BOT, path)
        assert short.status == 403
        assert short.headers["www-authenticate"] == (
            'Bearer error="insufficient_scope", scope="observe"'
        )
        assert "observe" in short.json["error"]
    short = await ask(mesh, EYE)
    assert short.status == 403
    assert short.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="tools"'
    assert short.error["data"] == {"reason": "insufficient_scope", "scope": "tools"}


@pytest.mark.requirement("gateway.keys")
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_only_the_probes_are_open(mesh: Mesh, path: str) -> None:
    """Liveness is nobody's secret; a path that is not there is, to a stranger."""
    assert (await read(mesh, None, path)).status == 200
    assert (await read(mesh, key_of("nobody"), path)).status == 200
    assert (await read(mesh, None, "/no-such-page")).status == 401
    assert (await read(mesh, BOT, "/no-such-page")).status == 404


@pytest.mark.requirement("gateway.oauth-metadata")
@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
    ],
)
async def test_with_keys_alone_discovery_ends_at_once(mesh: Mesh, path: str) -> None:
    """clients.md 17: clients probe these before anything else, and 404 tells them to stop."""
    reply = await get(mesh.port, path)
    assert reply.status == 404
    assert "www-authenticate" not in reply.headers


async def test_a_key_shows_and_calls_what_its_globs_allow(mesh: Mesh, server: Scripted) -> None:
    """What it may not call is not listed either."""
    listed = await ask(mesh, FEW)
    assert [each["name"] for each in listed.result["tools"]] == ["act", "ask"]
    refused = await ask(mesh, FEW, "tools/call", {"name": "write", "arguments": {}})
    assert "result" not in refused.json
    assert server.calls == []


async def test_a_refusal_leaves_a_span_without_the_token(mesh: Mesh) -> None:
    """Who was refused can be counted; what was shown cannot be read."""
    before = len(mesh.spans)
    await ask(mesh, key_of("nobody"))
    (span,) = mesh.spans[before:]
    assert span.name == "POST /mcp"
    assert span.attributes == {"http.response.status_code": 401, "error.type": "401"}


async def test_the_python_client_comes_in_with_a_header(mesh: Mesh) -> None:
    """As its users configure it, in both eras."""
    import httpx2  # noqa: PLC0415 - the SDK's own client needs it, and no other test here

    for mode in ("auto", "legacy"):
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {BOT}"}) as http,
            Client(streamable_http_client(mesh.mcp, http_client=http), mode=mode) as client,
        ):
            assert len((await client.list_tools()).tools) == 4


@pytest.mark.requirement("gateway.keys")
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.binary(max_size=60).map(lambda raw: b"Bearer " + raw),
        st.binary(max_size=60).map(lambda raw: b"Bearer tl_" + raw),
        st.binary(max_size=60).map(lambda raw: b"Bearer tl_ci-bot_" + raw),
        st.lists(st.binary(max_size=20), min_size=3, max_size=3).map(
            lambda parts: b"Bearer " + b".".join(parts)
        ),
    )
)
async def test_no_header_opens_the_door_or_breaks_it(mesh: Mesh, value: bytes) -> None:
    """Whatever bytes stand in Authorization: 401, or 400 for what is no HTTP."""
    body = modern("tools/list")
    raw = head(body, modern_headers("tools/list"), port=mesh.port)
    hostile = raw[:-2] + b"Authorization: " + value.replace(b"\n", b"").replace(b"\r", b"")
    reply = await send(mesh.port, hostile + b"\r\n\r\n" + body)
    assert reply.status in {400, 401}
