"""The private key of a GitHub App, and the short-lived JWTs that it signs."""

from dataclasses import dataclass, field

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from trunkline_shared.errors import AuthError

BACKDATED_S = 60
LIFETIME_S = 540


@dataclass(frozen=True, slots=True)
class AppKey:
    """Signs with the key of a PEM text; parsing it takes 90 ms, so the last one is kept parsed."""

    parsed: dict[str, RSAPrivateKey] = field(default_factory=dict, repr=False)

    def assertion(self, pem: str, app_id: str, now: float) -> str:
        """Return a JWT for the App, issued a minute ago and ending in nine.

        Ten minutes, the documented limit, fail when this clock is ahead. Blocking on first use.
        `now` is in seconds since the epoch. Raises AuthError for an unusable key.
        """
        claims = {"iat": int(now) - BACKDATED_S, "exp": int(now) + LIFETIME_S, "iss": app_id}
        return jwt.encode(claims, self._key(pem), algorithm="RS256")

    def _key(self, pem: str) -> RSAPrivateKey:
        known = self.parsed.get(pem)
        if known is None:
            known = _parse(pem)
            self.parsed.clear()
            self.parsed[pem] = known
        return known


def _parse(pem: str) -> RSAPrivateKey:
    """Parse a PEM text, also one whose line breaks were escaped to fit a variable."""
    text = pem.replace("\\r", "").replace("\\n", "\n").strip() + "\n"
    try:
        key = load_pem_private_key(text.encode(), password=None)
    except (ValueError, TypeError):
        raise _unusable("it is no unencrypted PEM private key") from None
    if not isinstance(key, RSAPrivateKey):
        raise _unusable("GitHub Apps have RSA keys, this is another kind")
    return key


def _unusable(why: str) -> AuthError:
    return AuthError(
        f"TRUNKLINE_GITHUB_APP_PRIVATE_KEY is not usable: {why}.",
        hint="Set it to the content of the .pem file that GitHub gave, or point "
        "TRUNKLINE_GITHUB_APP_PRIVATE_KEY_FILE at that file.",
        details={"reason": "private_key_unusable"},
    )
