"""JSON web tokens with HMAC SHA-256 (RFC 7519): claims that only a key's holders can have written.

Only this module knows the library, which takes a tenth of a second to import: whoever needs no
token need not pay for it.
"""

from collections.abc import Mapping

import jwt

_ALGORITHM = "HS256"


class Unsigned(Exception):
    """The text is no token of these keys, or lacks a claim."""


class NotForUs(Exception):
    """The token is signed, and for another audience or from another issuer."""


def signed(claims: Mapping[str, object], key: bytes, kind: str) -> str:
    """Return a token of a kind, its header's `typ`."""
    return jwt.encode(dict(claims), key, _ALGORITHM, headers={"typ": kind})


def kind_of(text: str) -> str | None:
    """Return the kind that a text claims to be, None for a text that is no token."""
    try:
        kind = jwt.get_unverified_header(text.encode("ascii")).get("typ")
    except (UnicodeEncodeError, jwt.InvalidTokenError):
        return None
    return kind if isinstance(kind, str) else None


def verified(
    text: str, keys: tuple[bytes, ...], *, base: str, required: tuple[str, ...]
) -> Mapping[str, object]:
    """Return the claims of a token that one of the keys has signed, from and for `base`.

    Its time is for the caller to judge. Raises Unsigned, NotForUs.
    """
    for key in keys:
        try:
            return jwt.decode(
                text,
                key,
                algorithms=[_ALGORITHM],
                audience=base,
                issuer=base,
                options={"verify_exp": False, "require": list(required)},
            )
        except jwt.InvalidSignatureError:
            continue
        except (jwt.InvalidAudienceError, jwt.InvalidIssuerError):
            raise NotForUs from None
        except jwt.InvalidTokenError:
            break
    raise Unsigned
