"""What the claims of an access token say: whether it is for this router, and whom it names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from urllib.parse import quote

from trunkline_router.identity.issuer import same_issuer
from trunkline_router.wire.challenge import invalid_token

LEEWAY_S = 30.0
_SERVER = re.compile(r"/servers/([A-Za-z][A-Za-z0-9_]{0,31})/mcp")
_WHOLE = "/mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a token must say; without an `audience`, the URLs of the endpoints at `base` are it."""

    issuer: str
    base: str
    audience: str | None

    @property
    def shown_audience(self) -> str:
        return self.audience or self.base + _WHOLE


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessClaims:
    """A token that is for this router; `expires` is in seconds since the epoch.

    `servers` are those whose endpoints alone it was issued for, None means all.
    """

    subject: str
    scopes: frozenset[str]
    servers: frozenset[str] | None
    expires: float


def read_claims(claims: Mapping[str, object], expected: Expected, now: float) -> AccessClaims:
    """Return what claims say. Raises Refused, HTTP 401, saying which of them does not hold."""
    if not same_issuer(claims.get("iss"), expected.issuer):
        raise invalid_token("The access token was issued by another authorization server.")
    servers = _servers(claims.get("aud"), expected)
    expires = _time(claims, "exp")
    if expires is None:
        raise invalid_token("The access token does not say when it expires (exp).")
    if expires + LEEWAY_S <= now:
        raise invalid_token("The access token has expired; a new one is needed.")
    begins = _time(claims, "nbf")
    if begins is not None and begins - LEEWAY_S > now:
        raise invalid_token("The access token is not valid yet (nbf).")
    return AccessClaims(
        subject=_subject(claims), scopes=_scopes(claims), servers=servers, expires=expires
    )


def _servers(claimed: object, expected: Expected) -> frozenset[str] | None:
    listed = claimed if isinstance(claimed, list) else [claimed]
    named = {one.rstrip("/") for one in listed if isinstance(one, str)}
    if expected.shown_audience.rstrip("/") in named:
        return None
    servers = frozenset(
        found[1]
        for one in named
        if one.startswith(expected.base)
        and (found := _SERVER.fullmatch(one.removeprefix(expected.base)))
    )
    if expected.audience is not None or not servers:
        raise invalid_token(
            f"The access token is for another audience: its aud is not {expected.shown_audience}."
        )
    return servers


def _time(claims: Mapping[str, object], name: str) -> float | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_moment(value):
        raise invalid_token(f"The access token's {name} is no time.")
    return float(value)


def _is_moment(value: float) -> bool:
    try:
        return isfinite(value)
    except OverflowError:
        return False


def _subject(claims: Mapping[str, object]) -> str:
    """Return a name that no key and no other person or client has."""
    client = claims.get("client_id") or claims.get("azp")
    parts = [one for one in (claims.get("sub"), client) if isinstance(one, str) and one]
    if not parts:
        raise invalid_token("The access token names nobody: it has neither sub nor client_id.")
    quoted = (quote(one.encode("utf-8", "surrogatepass"), safe="@|") for one in parts)
    return ":".join(["oauth", *dict.fromkeys(quoted)])


def _scopes(claims: Mapping[str, object]) -> frozenset[str]:
    found: set[str] = set()
    for name in ("scope", "scp", "scopes"):
        value = claims.get(name)
        listed = value if isinstance(value, list) else str(value or "").split()
        found.update(one for one in listed if isinstance(one, str))
    return frozenset(found)
