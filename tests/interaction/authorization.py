"""A stand-in authorization server on a socket, and the access tokens that it issues."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import jwt
import orjson
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import get_default_algorithms

from trunkline_shared.clock import SystemClock

Answer = Callable[[web.Request], web.StreamResponse]


@dataclass(frozen=True, kw_only=True)
class KeyPair:
    """A key that an issuer signs with."""

    id: str
    algorithm: str
    private: Any

    @property
    def public(self) -> dict[str, Any]:
        """The key as it is published."""
        algorithm = get_default_algorithms()[self.algorithm]
        published = algorithm.to_jwk(self.private.public_key(), as_dict=True)
        return {**published, "kid": self.id, "use": "sig", "alg": self.algorithm}


@lru_cache
def pair(algorithm: str = "RS256", id_: str = "first") -> KeyPair:
    """Return a key pair; the same for the same words."""
    makers: dict[str, Callable[[], Any]] = {
        "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
        "ES384": lambda: ec.generate_private_key(ec.SECP384R1()),
        "ES512": lambda: ec.generate_private_key(ec.SECP521R1()),
        "EdDSA": ed25519.Ed25519PrivateKey.generate,
    }
    make = makers.get(algorithm, lambda: rsa.generate_private_key(65_537, 2048))
    return KeyPair(id=id_, algorithm=algorithm, private=make())


@dataclass(kw_only=True)
class AuthorizationServer:
    """Publishes metadata and keys; `asked` are the paths that it was asked for."""

    url: str = ""
    path: str = ""
    keys: list[KeyPair] = field(default_factory=lambda: [pair()])
    asked: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def issuer(self) -> str:
        return self.url + self.path

    async def handle(self, http: web.Request) -> web.StreamResponse:
        self.asked.append(http.path)
        self.bodies.append(await http.read())
        await self.open.wait()
        if http.path in self.answers:
            return self.answers[http.path](http)
        if http.path in self._metadata_paths:
            return web.json_response({
                "issuer": self.issuer,
                "jwks_uri": f"{self.url}/keys",
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "response_types_supported": ["code"],
                **self.metadata,
            })
        if http.path == "/keys":
            return web.json_response({"keys": [each.public for each in self.keys]})
        return web.Response(status=404)

    @property
    def _metadata_paths(self) -> tuple[str, ...]:
        return (f"/.well-known/oauth-authorization-server{self.path}",)

    def token(self, audience: object, *, key: KeyPair | None = None, **claims: Any) -> str:
        """Return a token for an audience; a claim given as None is left out."""
        by = key or self.keys[0]
        now = SystemClock().now()
        said = {
            "iss": self.issuer,
            "aud": audience,
            "sub": "alice",
            "client_id": "agent",
            "scope": "tools",
            "iat": int(now),
            "exp": int(now) + 300,
            **claims,
        }
        kept = {name: value for name, value in said.items() if value is not None}
        return signed(kept, by)

    @property
    def fetches(self) -> int:
        """How often the keys were asked for."""
        return self.asked.count("/keys")


def signed(claims: dict[str, Any], by: KeyPair, **header: Any) -> str:
    """Return a token, its `kid` the key's unless the header says otherwise."""
    payload = orjson.dumps(claims)
    given = {"kid": by.id, "typ": "at+jwt", **header}
    kept = {name: value for name, value in given.items() if value is not None}
    return jwt.api_jws.encode(payload, by.private, by.algorithm, headers=kept)


@asynccontextmanager
async def issuing(server: AuthorizationServer | None = None) -> AsyncIterator[AuthorizationServer]:
    """Run an authorization server."""
    made = server or AuthorizationServer()
    made.open.set()
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", made.handle)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield made
    finally:
        await runner.cleanup()
