"""The signatures of JSON web tokens, RFC 7515: who knows the library, and nobody else.

It takes a quarter of a second to import: only a router that is shown such a token pays for it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt.algorithms import get_default_algorithms
from jwt.types import Options

from trunkline_router.identity.key_set import ALGORITHMS, PublicKey

_SMALLEST_RSA = 2048
_KNOWN = {name: one for name, one in get_default_algorithms().items() if name in ALGORITHMS}
# Times, issuer and audience are judged elsewhere, by the router's own clock and in its own words.
_SIGNATURE_ALONE: Options = {
    "verify_signature": True,
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    "verify_aud": False,
    "verify_iss": False,
    "verify_sub": False,
    "verify_jti": False,
}
_NOTHING: Options = {**_SIGNATURE_ALONE, "verify_signature": False}
_Loaded = RSAPublicKey | EllipticCurvePublicKey | Ed25519PublicKey


class NoToken(Exception):
    """The text is no signed JSON web token."""


class Forged(Exception):
    """None of the keys has signed the token."""


@dataclass(frozen=True, slots=True)
class Unverified:
    """What a token says of itself before anything is believed."""

    algorithm: str
    key: str | None
    issuer: object


def unverified(text: str) -> Unverified:
    """Read what decides how a token is verified. Raises NoToken."""
    try:
        token = jwt.decode_complete(text.encode("ascii"), options=_NOTHING)
    except (UnicodeEncodeError, jwt.PyJWTError, ValueError, RecursionError):
        raise NoToken from None
    header = token["header"]
    key, algorithm = header.get("kid"), header.get("alg")
    # RFC 7515, section 4.1.11: what is critical and not understood makes a token invalid.
    if "crit" in header or not isinstance(algorithm, str) or not isinstance(key, str | None):
        raise NoToken
    return Unverified(algorithm, key, token["payload"].get("iss"))


def verified(text: str, keys: Iterable[PublicKey], algorithm: str) -> Mapping[str, object]:
    """Return the claims of a token that one of the keys has signed. Raises Forged."""
    for key in keys:
        public = _loaded(key, algorithm)
        if public is None:
            continue
        try:
            return jwt.decode(text, public, algorithms=[algorithm], options=_SIGNATURE_ALONE)
        except (jwt.PyJWTError, ValueError):
            continue
    raise Forged


def _loaded(key: PublicKey, algorithm: str) -> _Loaded | None:
    """Return the library's form of a key, None for one that is broken or too weak."""
    try:
        public = _KNOWN[algorithm].from_jwk(dict(key.fields))
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    if isinstance(public, RSAPublicKey):
        return public if public.key_size >= _SMALLEST_RSA else None
    return public if isinstance(public, EllipticCurvePublicKey | Ed25519PublicKey) else None
