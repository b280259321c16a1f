"""Job tokens: what a caller may do, signed, so that another replica or a server can act on it."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trunkline_router.context import Context, InvalidContext
from trunkline_router.rights import EVERYTHING, Rights
from trunkline_router.wire.challenge import invalid_token
from trunkline_router.wire.refusal import Refused
from trunkline_shared.clock import Clock
from trunkline_shared.signing import SigningKeys

PURPOSE = "job tokens"
_TYPE = "trunkline-job+jwt"
_DOTS = 2
_CLAIMS = ("iss", "aud", "sub", "exp", "jti")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a token lets its bearer do; `expires` is in seconds since the epoch.

    `key` is the id of the API key that it goes back to, and `mark` tells that key from a later one
    of the same id; `rights` are what the token says beyond that key's own. `searches` says that
    tools are shown through a search. `depth` counts the servers that ask in somebody's name, one
    for another.
    """

    subject: str
    scopes: frozenset[str]
    context: Context
    expires: float
    key: str | None = None
    mark: str = ""
    rights: Rights = EVERYTHING
    searches: bool = False
    depth: int = 0


class _Claims(BaseModel):
    model_config = ConfigDict(frozen=True)

    sub: str
    scopes: list[str]
    bind: dict[str, str | int]
    depth: int = Field(ge=0)
    exp: float
    key: str | None = None
    mark: str = ""
    allow: list[list[str]] = []
    deny: list[str] = []
    toolsets: list[str] | None = None
    searches: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JobTokens:
    """Mints the tokens of one mesh and reads them again.

    `base` is the mesh's public URL: issuer and audience at once, RFC 7519. The time is the
    clock's.
    """

    keys: SigningKeys = field(repr=False)
    base: str
    clock: Clock

    def minted(self, grant: Grant) -> str:
        """Return a token; it is a secret."""
        claims = {
            "iss": self.base,
            "aud": self.base,
            "sub": grant.subject,
            "scopes": sorted(grant.scopes),
            "bind": dict(grant.context.bindings),
            "depth": grant.depth,
            "exp": grant.expires,
            "jti": uuid.uuid4().hex,
            **_narrowing(grant),
        }
        from trunkline_router.access import signed_claims  # noqa: PLC0415 - only a token's use pays for it

        return signed_claims.signed(claims, self.keys.keys[0], _TYPE)

    def read(self, bearer: str) -> Grant | None:
        """Return what a job token grants, or None when the bearer is none.

        Raises Refused, HTTP 401, for one that is forged, expired, or of another mesh.
        """
        if bearer.count(".") != _DOTS:
            return None
        claims = self._verified(bearer)
        if claims is None:
            return None
        grant = _grant(claims)
        if self.clock.now() >= grant.expires:
            raise expired()
        return grant

    def _verified(self, bearer: str) -> Mapping[str, object] | None:
        """Return the claims of a job token, or None for a token of another kind."""
        from trunkline_router.access import signed_claims  # noqa: PLC0415 - only a token's use pays for it

        if signed_claims.kind_of(bearer) != _TYPE:
            return None
        try:
            return signed_claims.verified(bearer, self.keys.keys, base=self.base, required=_CLAIMS)
        except signed_claims.NotForUs:
            raise invalid_token("The job token is for another mesh.") from None
        except signed_claims.Unsigned:
            raise _invalid() from None


def ended_with_key() -> Refused:
    """Return the refusal of a token whose key no longer stands behind it."""
    return invalid_token(
        "The job token is no longer valid: the API key that it was minted from was revoked or "
        "changed; a new token is needed."
    )


def expired() -> Refused:
    """Return the refusal of a token whose time is over."""
    return invalid_token("The token has expired; a new one is needed.")


def _invalid() -> Refused:
    return invalid_token(
        "The job token is not valid: this mesh has not signed it, or signed it with a secret that "
        "is no longer in TRUNKLINE_SECRET."
    )


def _narrowing(grant: Grant) -> Mapping[str, object]:
    """Return the claims that most tokens need not have."""
    rights = grant.rights
    told: dict[str, object] = {
        "key": grant.key,
        "mark": grant.mark,
        "allow": rights.allow,
        "deny": rights.deny,
        "searches": grant.searches,
    }
    kept = {name: value for name, value in told.items() if value}
    # None are all toolsets, and an empty list is none of them.
    return kept if rights.toolsets is None else kept | {"toolsets": sorted(rights.toolsets)}


def _grant(claims: Mapping[str, object]) -> Grant:
    try:
        read = _Claims.model_validate(claims)
        context = Context.of(read.bind.items())
    except (ValidationError, InvalidContext):
        raise _invalid() from None
    return Grant(
        subject=read.sub,
        scopes=frozenset(read.scopes),
        context=context,
        expires=read.exp,
        key=read.key,
        mark=read.mark,
        rights=Rights(
            allow=tuple(tuple(layer) for layer in read.allow),
            deny=tuple(read.deny),
            toolsets=None if read.toolsets is None else frozenset(read.toolsets),
        ),
        searches=read.searches,
        depth=read.depth,
    )
