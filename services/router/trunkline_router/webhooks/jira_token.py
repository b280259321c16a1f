"""The token with which a Jira site signs what it sends to an app: HS256, over the request.

https://developer.atlassian.com/cloud/jira/platform/understanding-jwt-for-connect-apps/
"""

import hashlib
import hmac
from urllib.parse import parse_qsl, quote

import jwt
from jwt.types import Options

from trunkline_router.model import Json
from trunkline_router.webhooks.delivery import Arrived, Unproven

ALGORITHM = "HS256"
SHORTEST = 32
"""Bytes: a shorter key is none for this algorithm, RFC 7518, 3.2."""
_LONGEST = 8_192
_LEEWAY_S = 30.0
_LONGEST_S = 3_600.0
_SIGNATURE_ALONE: Options = {
    "verify_signature": True,
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
    "verify_aud": False,
    "verify_iss": False,
}
_REFUSED = "The JWT is not one that the site has made for this request."


def prove_token(text: str, arrived: Arrived, secrets: tuple[bytes, ...], now: float) -> None:
    """Raise Unproven for a token that is not for this request; `now` is seconds since the epoch."""
    claims = _claims(text.strip(), secrets)
    if claims is None:
        raise Unproven(_REFUSED)
    issued, expires = _seconds(claims.get("iat")), _seconds(claims.get("exp"))
    if issued is None or expires is None:
        raise Unproven(_REFUSED)
    timely = issued - _LEEWAY_S <= now < expires + _LEEWAY_S and expires - issued <= _LONGEST_S
    told = claims.get("qsh")
    wanted = request_hash("POST", arrived.path, arrived.query)
    if not isinstance(told, str) or not told.isascii() or not hmac.compare_digest(told, wanted):
        raise Unproven(_REFUSED)
    if not timely:
        raise Unproven("The JWT is over, or not valid yet.")


def request_hash(method: str, path: str, query: str) -> str:
    """Return what the claim `qsh` must be: the digest of the canonical request."""
    values: dict[str, list[str]] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name != "jwt":
            values.setdefault(_encoded(name), []).append(_encoded(value))
    pairs = (f"{name}={','.join(sorted(given))}" for name, given in sorted(values.items()))
    place = (path.rstrip("/") or "/").replace("&", "%26")
    canonical = "&".join((method.upper(), place, "&".join(pairs)))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _encoded(text: str) -> str:
    return quote(text, safe="~")


def _seconds(given: object) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    try:
        return float(given)
    except OverflowError:
        return None


def _claims(text: str, secrets: tuple[bytes, ...]) -> Json | None:
    if len(text) > _LONGEST:
        return None
    for secret in secrets:
        if len(secret) < SHORTEST:
            continue
        try:
            found: Json = jwt.decode(text, secret, algorithms=[ALGORITHM], options=_SIGNATURE_ALONE)
        except (jwt.PyJWTError, ValueError, RecursionError):
            continue
        return found
    return None
