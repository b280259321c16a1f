"""Job tokens: what a caller may do, signed, so that another replica or a server can act on it."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

import jwt
from mcp_types.jsonrpc import INVALID_REQUEST
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trunkline_router.context import Context, InvalidContext
from trunkline_router.refusal import Refused
from trunkline_shared.clock import Clock
from trunkline_shared.signing import SigningKeys

PURPOSE = "job tokens"
_ALGORITHM = "HS256"
_TYPE = "trunkline-job+jwt"
_CLAIMS = ("iss", "aud", "sub", "exp", "jti")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a token lets its bearer do; `expires` is in seconds since the epoch.

    `depth` counts the servers that ask in somebody's name, one for another.
    """

    subject: str
    scopes: frozenset[str]
    context: Context
    expires: float
    depth: int = 0


class _Claims(BaseModel):
    model_config = ConfigDict(frozen=True)

    sub: str
    scopes: list[str]
    bind: dict[str, str | int]
    depth: int = Field(ge=0)
    exp: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JobTokens:
    """Mints the tokens of one mesh and reads them again.

    `base` is the mesh's public URL: issuer and audience at once, RFC 7519. The time is the
    clock's, so PyJWT's own look at it is switched off.
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
        }
        return jwt.encode(claims, self.keys.keys[0], _ALGORITHM, headers={"typ": _TYPE})

    def read(self, bearer: str) -> Grant | None:
        """Return what a job token grants, or None when the bearer is none.

        Raises Refused, HTTP 401, for one that is forged, expired, or of another mesh.
        """
        if not _is_job_token(bearer):
            return None
        grant = _grant(self._verified(bearer))
        late_s = self.clock.now() - grant.expires
        if late_s >= 0:
            raise expired()
        return grant

    def _verified(self, bearer: str) -> Mapping[str, object]:
        for key in self.keys.keys:
            try:
                return jwt.decode(
                    bearer,
                    key,
                    algorithms=[_ALGORITHM],
                    audience=self.base,
                    issuer=self.base,
                    options={"verify_exp": False, "require": list(_CLAIMS)},
                )
            except jwt.InvalidSignatureError:
                continue
            except (jwt.InvalidAudienceError, jwt.InvalidIssuerError):
                raise unauthenticated("The job token is for another mesh.") from None
            except jwt.InvalidTokenError:
                break
        raise _invalid()


def unauthenticated(message: str) -> Refused:
    """Return the refusal of a bearer; RFC 6750, section 3.1."""
    return Refused(INVALID_REQUEST, message, {"reason": "invalid_token"}, status=401)


def expired() -> Refused:
    """Return the refusal of a token whose time is over."""
    return unauthenticated("The job token has expired; a new one is needed.")


def _invalid() -> Refused:
    return unauthenticated(
        "The job token is not valid: this mesh has not signed it, or signed it with a secret that "
        "is no longer in TRUNKLINE_SECRET."
    )


def _is_job_token(bearer: str) -> bool:
    try:
        return jwt.get_unverified_header(bearer).get("typ") == _TYPE
    except jwt.InvalidTokenError:
        return False


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
        depth=read.depth,
    )
