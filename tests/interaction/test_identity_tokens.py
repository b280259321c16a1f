"""Access tokens of an authorization server: which are taken, and why the others are not."""

import hmac
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jwt
import orjson
import pytest
from jwt.utils import base64url_encode

from tests.interaction.authorization import AuthorizationServer, issuing, pair, signed
from tests.interaction.keys import ask, ask_legacy, entry, key_of, read
from tests.interaction.mesh import Mesh, routing
from tests.interaction.trunkline_process import run_to_end
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import post
from trunkline_cli.environment import variables
from trunkline_router.identity.key_set import ALGORITHMS
from trunkline_shared.clock import SystemClock

pytestmark = pytest.mark.anyio

BASE = "https://trunkline.example"
AUDIENCE = f"{BASE}/mcp"


@pytest.fixture
async def issuer() -> AsyncIterator[AuthorizationServer]:
    """Yield a running authorization server."""
    async with issuing() as made:
        yield made


@pytest.fixture
async def server() -> Scripted:
    """A server behind the router."""
    return Scripted(tools=[tool("act")])


@pytest.fixture
async def mesh(server: Scripted, issuer: AuthorizationServer) -> AsyncIterator[Mesh]:
    """A router that trusts the issuer, and one key."""
    configured = {"oauth": {"issuer": issuer.issuer}, "keys": [entry("bot")]}
    async with (
        running(server) as one,
        running(Scripted(tools=[tool("other")])) as two,
        routing({"one": one, "two": two}, configured=configured, public_url=BASE) as made,
    ):
        yield made


@asynccontextmanager
async def trusting(configured: Mapping[str, object]) -> AsyncIterator[Mesh]:
    """Run a router with one server and a configuration."""
    async with (
        running(Scripted()) as url,
        routing({"one": url}, configured=configured, public_url=BASE) as made,
    ):
        yield made


@pytest.mark.requirement("gateway.oauth")
@pytest.mark.parametrize("audience", [AUDIENCE, AUDIENCE + "/", ["other", AUDIENCE]])
async def test_a_token_for_this_router_lets_its_bearer_in(
    mesh: Mesh, issuer: AuthorizationServer, server: Scripted, audience: object
) -> None:
    """In both eras, with the audience in each form; the server behind never sees the token."""
    token = issuer.token(audience)
    assert (await ask(mesh, token)).status == 200
    assert (await ask_legacy(mesh, token)).status == 200
    called = await ask(mesh, token, "tools/call", {"name": "act", "arguments": {}})
    assert called.status == 200
    assert token not in orjson.dumps(server.calls).decode() + str(server.headers)
    assert (await ask(mesh, key_of("bot"))).status == 200


@pytest.mark.requirement("gateway.oauth")
@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
async def test_every_asymmetric_algorithm_is_taken(
    issuer: AuthorizationServer, algorithm: str
) -> None:
    """RSA, RSA-PSS, elliptic curves and Ed25519; a key's id may be left out of the token."""
    by = pair(algorithm, f"of-{algorithm}")
    issuer.keys = [by, pair("RS256"), pair("RS256", "second")]
    configured = {"oauth": {"issuer": issuer.issuer}}
    async with trusting(configured) as mesh:
        assert (await ask(mesh, issuer.token(AUDIENCE))).status == 200
        assert (await ask(mesh, signed(_claims(issuer), by, kid=None))).status == 200


def expired(issuer: AuthorizationServer) -> str:
    return issuer.token(AUDIENCE, exp=int(SystemClock().now()) - 31)


def endless(issuer: AuthorizationServer) -> str:
    return issuer.token(AUDIENCE, exp=None)


def timeless(issuer: AuthorizationServer) -> str:
    return issuer.token(AUDIENCE, exp="soon")


def beyond_time(issuer: AuthorizationServer) -> str:
    claims = {"iss": issuer.issuer, "aud": AUDIENCE, "sub": "a"}
    raw = orjson.dumps(claims)[:-1] + b',"exp":1' + b"0" * 400 + b"}"
    by = issuer.keys[0]
    return jwt.api_jws.encode(raw, by.private, by.algorithm, headers={"kid": by.id})


def early(issuer: AuthorizationServer) -> str:
    return issuer.token(AUDIENCE, nbf=int(SystemClock().now()) + 60)


def for_another(issuer: AuthorizationServer) -> str:
    return issuer.token("https://elsewhere.example/mcp")


def for_nobody(issuer: AuthorizationServer) -> str:
    return issuer.token(None)


def for_a_longer_url(issuer: AuthorizationServer) -> str:
    return issuer.token(f"{BASE}.evil.example/servers/one/mcp")


def by_another(issuer: AuthorizationServer) -> str:
    return issuer.token(AUDIENCE, iss="https://login.evil.example")


def by_nobody(issuer: AuthorizationServer) -> str:
    return issuer.token(AUDIENCE, iss=None)


def nameless(issuer: AuthorizationServer) -> str:
    return issuer.token(AUDIENCE, sub=None, client_id=None)


def changed(issuer: AuthorizationServer) -> str:
    head, _, signature = issuer.token(AUDIENCE).split(".")
    return f"{head}.{issuer.token(AUDIENCE, sub='mallory').split('.')[1]}.{signature}"


def of_a_stolen_name(issuer: AuthorizationServer) -> str:
    return issuer.token(AUDIENCE, key=pair("RS256", "first-but-mine"))


def by_the_wrong_key(issuer: AuthorizationServer) -> str:
    claims = _claims(issuer)
    return signed(claims, pair("RS256", "mine"), kid=issuer.keys[0].id)


def symmetric(issuer: AuthorizationServer) -> str:
    """Sign with the public key as if it were a shared secret (RFC 8725, 2.1)."""
    by = issuer.keys[0]
    body = issuer.token(AUDIENCE).split(".")[1]
    head = base64url_encode(orjson.dumps({"alg": "HS256", "kid": by.id})).decode()
    mac = hmac.digest(orjson.dumps(by.public), f"{head}.{body}".encode(), "sha256")
    return f"{head}.{body}.{base64url_encode(mac).decode()}"


def unsigned(issuer: AuthorizationServer) -> str:
    return jwt.encode(_claims(issuer), "", "none")


def with_own_key(issuer: AuthorizationServer) -> str:
    mine = pair("RS256", "mine")
    return signed(_claims(issuer), mine, jwk=mine.public, jku="https://evil.example/keys")


def critical(issuer: AuthorizationServer) -> str:
    return signed(_claims(issuer), issuer.keys[0], crit=["exotic"], exotic=1)


def _claims(issuer: AuthorizationServer) -> dict[str, Any]:
    return jwt.decode(issuer.token(AUDIENCE), options={"verify_signature": False})


@pytest.mark.requirement("gateway.oauth")
@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (expired, "has expired"),
        (endless, "does not say when it expires"),
        (timeless, "exp is no time"),
        (beyond_time, "exp is no time"),
        (early, "not valid yet"),
        (for_another, "for another audience"),
        (for_nobody, "for another audience"),
        (for_a_longer_url, "for another audience"),
        (by_another, "issued by another"),
        (by_nobody, "issued by another"),
        (nameless, "names nobody"),
        (changed, "signature is not the issuer's"),
        (of_a_stolen_name, "a key that the issuer lacks"),
        (by_the_wrong_key, "signature is not the issuer's"),
        (symmetric, "algorithm is not accepted"),
        (unsigned, "algorithm is not accepted"),
        (with_own_key, "a key that the issuer lacks"),
        (critical, "nothing that this router knows"),
    ],
)
async def test_each_refusal_says_what_is_wrong_and_never_the_token(
    mesh: Mesh,
    issuer: AuthorizationServer,
    caplog: pytest.LogCaptureFixture,
    made: Callable[[AuthorizationServer], str],
    reason: str,
) -> None:
    """401 with `invalid_token`, its reason in the header and in the body, in both eras."""
    caplog.set_level("DEBUG")
    token = made(issuer)
    for reply in (await ask(mesh, token), await ask_legacy(mesh, token)):
        assert reply.status == 401
        assert reason in reply.error["message"]
        told = reply.headers["www-authenticate"]
        assert told.startswith('Bearer error="invalid_token", error_description="')
        assert reply.error["message"] in told
        assert f'resource_metadata="{BASE}/.well-known/oauth-protected-resource/mcp"' in told
        assert token.split(".")[1] not in reply.body.decode() + told
    notified = await post(
        mesh.port,
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        {"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
    )
    assert notified.status == 401
    assert token.split(".")[1] not in caplog.text


@pytest.mark.requirement("gateway.oauth")
async def test_clocks_may_differ_by_half_a_minute(mesh: Mesh, issuer: AuthorizationServer) -> None:
    """A token that has just ended, or is just about to begin, is taken."""
    now = int(SystemClock().now())
    assert (await ask(mesh, issuer.token(AUDIENCE, exp=now - 5))).status == 200
    assert (await ask(mesh, issuer.token(AUDIENCE, nbf=now + 20))).status == 200


@pytest.mark.requirement("gateway.scopes")
@pytest.mark.parametrize(
    "claims",
    [
        {"scope": "tools observe"},
        {"scope": None, "scp": ["tools", "observe"]},
        {"scope": None, "scp": "observe tools other"},
        {"scope": None, "scopes": ["observe", "tools"]},
    ],
)
async def test_scopes_are_read_in_every_usual_form(
    mesh: Mesh, issuer: AuthorizationServer, claims: dict[str, Any]
) -> None:
    """`scope` as RFC 8693 has it, `scp` and `scopes` as vendors do."""
    token = issuer.token(AUDIENCE, **claims)
    assert (await ask(mesh, token)).status == 200
    assert (await read(mesh, token, "/status")).status == 200


@pytest.mark.requirement("gateway.scopes")
async def test_a_missing_scope_is_asked_for(mesh: Mesh, issuer: AuthorizationServer) -> None:
    """403 names the scope and the metadata, so that a client can step up."""
    without = await ask(mesh, issuer.token(AUDIENCE, scope="observe"))
    metadata = f'resource_metadata="{BASE}/.well-known/oauth-protected-resource/mcp"'
    assert without.status == 403
    assert without.headers["www-authenticate"] == (
        f'Bearer error="insufficient_scope", scope="tools", {metadata}'
    )
    page = await read(mesh, issuer.token(AUDIENCE, scope="tools"), "/status")
    assert page.status == 403
    assert page.headers["www-authenticate"] == (
        f'Bearer error="insufficient_scope", scope="observe", {metadata}'
    )
    odd = await ask(mesh, issuer.token(AUDIENCE, scope={"tools": True}))
    assert odd.status == 403


@pytest.mark.requirement("gateway.scopes")
async def test_an_issuer_may_have_its_own_words_for_tools(issuer: AuthorizationServer) -> None:
    """`required_scopes` stand for `tools`: all of them are needed, and asked for at once."""
    oauth = {"issuer": issuer.issuer, "required_scopes": ["mesh.use", "mesh.call"]}
    configured = {"oauth": oauth}
    async with trusting(configured) as mesh:
        good = await ask(mesh, issuer.token(AUDIENCE, scope="mesh.call mesh.use"))
        short = await ask(mesh, issuer.token(AUDIENCE, scope="tools mesh.use"))
        stranger = await ask(mesh, None)
    assert (good.status, short.status, stranger.status) == (200, 403, 401)
    assert 'scope="mesh.use mesh.call"' in short.headers["www-authenticate"]
    assert 'scope="mesh.use mesh.call"' in stranger.headers["www-authenticate"]


@pytest.mark.requirement("gateway.oauth")
async def test_a_configured_audience_is_the_only_one(issuer: AuthorizationServer) -> None:
    """An issuer that names its audiences itself is believed, and no URL besides."""
    configured = {"oauth": {"issuer": issuer.issuer, "audience": "api://mesh"}}
    async with trusting(configured) as mesh:
        assert (await ask(mesh, issuer.token("api://mesh"))).status == 200
        for other in (AUDIENCE, f"{BASE}/servers/one/mcp"):
            assert (await ask(mesh, issuer.token(other))).status == 401


@pytest.mark.requirement("gateway.oauth")
async def test_a_token_for_one_server_opens_no_other(
    mesh: Mesh, issuer: AuthorizationServer
) -> None:
    """What a client asked for `/servers/one/mcp` alone is good there and nowhere else."""
    token = issuer.token(f"{BASE}/servers/one/mcp", scope="tools observe contexts")
    inside = await ask(mesh, token, path="/servers/one/mcp")
    assert [each["name"] for each in inside.result["tools"]] == ["act"]
    for path in ("/mcp", "/servers/two/mcp"):
        outside = await ask(mesh, token, path=path)
        assert outside.status == 401
        assert "/servers/one/mcp alone" in outside.error["message"]
    assert (await read(mesh, token, "/status")).status == 401


@pytest.mark.parametrize("raw", ["a.b.c", "..", "e30.e30.e30", "eyJhbGciOjF9.e30.x", "é.é.é"])
async def test_what_only_looks_like_a_token_is_refused(
    mesh: Mesh, issuer: AuthorizationServer, raw: str
) -> None:
    """Garbage between dots makes nobody look for keys."""
    before = issuer.fetches
    reply = await ask(mesh, raw.encode().decode("latin-1"))
    assert reply.status == 401
    assert issuer.fetches == before


@pytest.mark.requirement("gateway.oauth")
async def test_a_stream_ends_with_its_token(mesh: Mesh, issuer: AuthorizationServer) -> None:
    """Who listens longer than an access token lasts hears why it is over."""
    now = int(SystemClock().now())
    token = issuer.token(AUDIENCE, exp=now - 29)
    params = {"notifications": {"toolsListChanged": True}}
    reply = await ask(mesh, token, "subscriptions/listen", params)
    assert b"The token has expired" in reply.body


async def test_a_router_without_such_tokens_does_not_pay_for_them() -> None:
    """What verifies signatures takes a quarter of a second to import: not at the start."""
    code = "import sys, trunkline_router.app; print('jwt' in sys.modules)"
    ended = await run_to_end([sys.executable, "-c", code], env=variables(), cwd=Path.cwd())
    assert ended.out == "False\n"
