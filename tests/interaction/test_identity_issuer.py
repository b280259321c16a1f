"""An authorization server's keys: found, kept, renewed, and not asked for too often."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from aiohttp import web

from tests.interaction.authorization import AuthorizationServer, issuing, pair
from tests.interaction.keys import ask
from tests.interaction.mesh import routing
from tests.interaction.upstreams import Scripted, running
from trunkline_router.configuration.entries import OAuthEntry
from trunkline_router.identity.issuer import Issuer, metadata_urls
from trunkline_router.identity.key_keeper import IssuerAway, KeyKeeper
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

OAUTH = "/.well-known/oauth-authorization-server"
OPENID = "/.well-known/openid-configuration"


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A running keeper, its issuer, and the time."""

    keeper: KeyKeeper
    issuer: AuthorizationServer
    clock: FakeClock

    async def knows(self, *ids: str) -> list[bool]:
        """Say which keys are known; all are asked for at once."""
        async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(self.keeper.matching(id_, "RS256")) for id_ in ids]
        return [bool(task.result()) for task in asked]


@asynccontextmanager
async def keeping(server: AuthorizationServer | None = None) -> AsyncIterator[Kept]:
    """Run a keeper of an issuer's keys."""
    clock = FakeClock()
    async with issuing(server) as issuer, asyncio.TaskGroup() as tasks:
        entry = OAuthEntry(issuer=issuer.issuer)
        keeper = KeyKeeper(Issuer(entry).keys, clock)
        running = tasks.create_task(keeper.run())
        yield Kept(keeper=keeper, issuer=issuer, clock=clock)
        issuer.open.set()
        running.cancel()


@pytest.mark.requirement("gateway.oauth-keys")
async def test_a_new_key_is_found_and_an_old_one_forgotten() -> None:
    """Rotation: an unknown id makes the keeper look; a withdrawn key ends with the next look."""
    async with keeping() as kept:
        assert await kept.knows("first") == [True]
        kept.issuer.keys = [pair(), pair("RS256", "second")]
        kept.clock.advance(31)
        assert await kept.knows("second") == [True]
        kept.issuer.keys = [pair("RS256", "second")]
        kept.clock.advance(31)
        assert await kept.knows("third") == [False]
        assert await kept.knows("first") == [False]
        assert kept.issuer.fetches == 3


@pytest.mark.requirement("gateway.oauth-keys")
async def test_a_flood_of_unknown_keys_is_one_look_in_half_a_minute() -> None:
    """However many tokens name keys that nobody has."""
    async with keeping() as kept:
        assert await kept.knows("first") == [True]
        for _ in range(3):
            assert not any(await kept.knows(*(f"unknown-{n}" for n in range(100))))
        assert kept.issuer.fetches == 1
        kept.clock.advance(31)
        assert not any(await kept.knows(*(f"unknown-{n}" for n in range(100))))
        assert kept.issuer.fetches == 2


@pytest.mark.requirement("gateway.oauth-keys")
async def test_keys_are_renewed_behind_the_back_of_those_who_use_them() -> None:
    """After ten minutes a slow issuer is asked, and nobody whose key is known waits for it."""
    async with keeping() as kept:
        assert await kept.knows("first") == [True]
        kept.issuer.keys = [pair("RS256", "second")]
        kept.issuer.open.clear()
        kept.clock.advance(601)
        assert await kept.knows("first", "first") == [True, True]
        kept.issuer.open.set()
        assert await kept.knows("second") == [True]
        assert await kept.knows("first") == [False]


def failed(http: web.Request) -> web.Response:
    return web.Response(status=500)


def missing(http: web.Request) -> web.Response:
    return web.Response(status=404)


def moved(http: web.Request) -> web.Response:
    return web.Response(status=302, headers={"Location": "/keys"})


def garbage(http: web.Request) -> web.Response:
    return web.Response(body=b"\x00<html>", content_type="application/json")


def a_list(http: web.Request) -> web.Response:
    return web.json_response([{"keys": []}])


def no_keys(http: web.Request) -> web.Response:
    return web.json_response({"keys": {"kid": "first"}})


def huge(http: web.Request) -> web.Response:
    return web.Response(body=b'{"keys":["' + b"x" * 300_000 + b'"]}')


@pytest.mark.requirement("gateway.oauth-keys")
@pytest.mark.parametrize("answer", [failed, missing, moved, garbage, a_list, no_keys, huge])
async def test_keys_stay_known_while_the_issuer_fails(
    answer: Callable[[web.Request], web.Response],
) -> None:
    """Errors, redirects, garbage and floods of bytes take nothing away; an unknown key waits."""
    async with keeping() as kept:
        assert await kept.knows("first") == [True]
        kept.issuer.answers["/keys"] = answer
        kept.clock.advance(601)
        assert await kept.knows("first") == [True]
        async with asyncio.timeout(10):
            with pytest.raises(IssuerAway):
                await kept.keeper.matching("second", "RS256")
        assert await kept.knows("first") == [True]
        kept.issuer.answers.clear()
        kept.issuer.keys.append(pair("RS256", "second"))
        kept.clock.advance(31)
        assert await kept.knows("second") == [True]
        kept.issuer.keys.pop()


async def test_keys_that_are_no_use_are_left_out() -> None:
    """Keys for encryption, secrets, unknown curves, broken and private ones do no harm."""
    good = pair().public
    odd = [
        {**good, "kid": "enc", "use": "enc"},
        {"kty": "oct", "kid": "oct", "k": "c2VjcmV0"},
        {"kty": "EC", "crv": "P-256", "kid": "ec", "x": "AA", "y": "AA"},
        {"kty": "RSA", "kid": "short"},
        {"kty": "RSA", "kid": 7, "n": 1, "e": 2},
        "no object",
        None,
        good,
    ]
    async with keeping() as kept:
        kept.issuer.answers["/keys"] = lambda http: web.json_response({"keys": odd})
        assert await kept.knows("first", "enc", "oct", "short") == [True, False, False, False]


@pytest.mark.requirement("gateway.oauth-keys")
@pytest.mark.parametrize(
    ("issuer", "urls"),
    [
        ("https://a.example", [f"https://a.example{OAUTH}", f"https://a.example{OPENID}"]),
        (
            "https://a.example/x/",
            [
                f"https://a.example{OAUTH}/x",
                f"https://a.example{OPENID}/x",
                f"https://a.example/x{OPENID}",
            ],
        ),
    ],
)
async def test_metadata_is_looked_for_in_each_usual_place(issuer: str, urls: list[str]) -> None:
    """RFC 8414 puts the well-known part before the issuer's path, OpenID Connect behind it."""
    assert list(metadata_urls(issuer)) == urls


@pytest.mark.requirement("gateway.oauth-keys")
@pytest.mark.parametrize("place", [f"{OPENID}/tenant", f"/tenant{OPENID}"])
async def test_an_openid_provider_is_found_too(place: str) -> None:
    """Whichever place answers with this issuer's metadata is the one."""
    server = AuthorizationServer(path="/tenant")

    def metadata(http: web.Request) -> web.Response:
        return web.json_response({"issuer": server.issuer, "jwks_uri": f"{server.url}/keys"})

    server.answers = {f"{OAUTH}/tenant": missing, place: metadata}
    async with keeping(server) as kept:
        assert await kept.knows("first") == [True]


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example"},
        {"jwks_uri": "http://keys.example/keys"},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": 7},
        {"jwks_uri": None},
    ],
)
async def test_metadata_of_another_issuer_or_with_an_open_key_set_is_not_used(
    metadata: dict[str, object],
) -> None:
    """RFC 8414, 3.3; and keys never come over plain HTTP from elsewhere."""
    async with keeping(AuthorizationServer(metadata=metadata)) as kept:
        async with asyncio.timeout(10):
            with pytest.raises(IssuerAway, match="its metadata names"):
                await kept.keeper.matching("first", "RS256")
        assert kept.issuer.fetches == 0


@pytest.mark.requirement("gateway.oauth-keys")
async def test_a_token_that_cannot_be_judged_is_no_bad_token() -> None:
    """503 and not 401: a client must not throw its token away because the issuer is down."""
    async with issuing() as issuer:
        issuer.answers["/keys"] = failed
        configured = {"oauth": {"issuer": issuer.issuer, "jwks_url": f"{issuer.url}/keys"}}
        async with running(Scripted()) as url, routing({"one": url}, configured=configured) as mesh:
            reply = await ask(mesh, issuer.token(f"{mesh.url}/mcp"))
    assert reply.status == 503
    assert reply.error["data"] == {"reason": "issuer_unavailable"}
    assert issuer.url not in reply.body.decode()
    assert "www-authenticate" not in reply.headers


@pytest.mark.parametrize("url", ["http://login.example", "ftp://login.example", "login"])
async def test_an_issuer_without_tls_is_refused_at_the_start(url: str) -> None:
    """Keys that anybody on the way could replace prove nothing."""
    with pytest.raises(ValueError, match="https"):
        OAuthEntry(issuer=url)
