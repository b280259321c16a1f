"""Whoever shows an access token of the trusted issuer is whom it names."""

import asyncio
import importlib
from dataclasses import dataclass
from types import ModuleType

from trunkline_router.identity.claims import LEEWAY_S, AccessClaims, Expected, read_claims
from trunkline_router.identity.issuer import same_issuer
from trunkline_router.identity.key_keeper import IssuerAway, KeyKeeper
from trunkline_router.identity.key_set import ALGORITHMS, PublicKey
from trunkline_router.identity.scopes import ALL, TOOLS
from trunkline_router.model import Caller
from trunkline_router.ports import TokenVerifier
from trunkline_router.rights import EVERYTHING
from trunkline_router.wire.challenge import invalid_token, unverifiable
from trunkline_shared.clock import Clock

_DOTS = 2
_SIGNATURES = "trunkline_router.identity.signatures"
_loaded: dict[str, ModuleType] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCallers:
    """Knows the bearers of JSON web tokens, RFC 9068; whoever shows none is known by `others`.

    `required` are the issuer's scopes that let a caller use tools, all of them.
    """

    keys: KeyKeeper
    expected: Expected
    required: frozenset[str]
    others: TokenVerifier
    clock: Clock

    async def verify(self, bearer: str | None) -> Caller:
        if bearer is None or bearer.count(".") != _DOTS:
            return await self.others.verify(bearer)
        signatures = await loaded_signatures()
        try:
            said = signatures.unverified(bearer)
        except signatures.NoToken:
            return await self.others.verify(bearer)
        # A token of another issuer makes nobody look for its key.
        if not same_issuer(said.issuer, self.expected.issuer):
            raise invalid_token("The access token was issued by another authorization server.")
        keys = await self._keys(said.key, said.algorithm)
        try:
            claims = signatures.verified(bearer, keys, said.algorithm)
        except signatures.Forged:
            raise invalid_token("The access token's signature is not the issuer's.") from None
        return self._caller(read_claims(claims, self.expected, self.clock.now()))

    async def _keys(self, id_: str | None, algorithm: str) -> tuple[PublicKey, ...]:
        if algorithm not in ALGORITHMS:
            raise invalid_token(
                f"The access token's algorithm is not accepted; these are: {', '.join(ALGORITHMS)}."
            )
        try:
            keys = await self.keys.matching(id_, algorithm)
        except IssuerAway:
            raise unverifiable(
                "The access token cannot be checked: the authorization server's keys cannot be "
                "had at the moment. Try again later."
            ) from None
        if not keys:
            raise invalid_token("The access token is signed with a key that the issuer lacks.")
        return keys

    def _caller(self, claims: AccessClaims) -> Caller:
        tools = {TOOLS} if self.required <= claims.scopes else frozenset()
        rights = EVERYTHING
        if claims.servers is not None:
            globs = tuple(f"mcp__{server}__*" for server in sorted(claims.servers))
            rights = rights.narrowed(globs)
        return Caller(
            subject=claims.subject,
            scopes=(claims.scopes & ALL - {TOOLS}) | tools,
            rights=rights,
            servers=claims.servers,
            until=self.clock.monotonic() + claims.expires + LEEWAY_S - self.clock.now(),
        )


async def loaded_signatures() -> ModuleType:
    """Return the module that verifies; its first import does not hold the other requests up."""
    module = _loaded.get(_SIGNATURES)
    if module is None:
        module = await asyncio.to_thread(importlib.import_module, _SIGNATURES)
        _loaded[_SIGNATURES] = module
    return module
