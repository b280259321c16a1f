"""Keys that the replicas of a mesh share, and texts that only they can have written."""

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field

from pydantic import SecretStr, field_validator

from trunkline_shared.settings import Settings

_SHORTEST = 16
_DIGEST_BYTES = 16


class SigningSettings(Settings):
    """The secret that replicas of a mesh share."""

    secret: SecretStr = SecretStr("")
    """Signs sessions, job tokens and cursors: a comma list, newest first, the same on every
    replica, each of 16 characters or more. Made up at each start without it.
    """

    @field_validator("secret")
    @classmethod
    def _long_enough(cls, value: SecretStr) -> SecretStr:
        if any(len(one) < _SHORTEST for one in _each(value)):
            raise ValueError(f"each secret of the list needs {_SHORTEST} characters or more")
        return value


@dataclass(slots=True)
class SigningKeys:
    """Keys for one purpose, newest first: the first signs, all of them verify."""

    keys: tuple[bytes, ...] = field(repr=False)
    _derived: dict[str, "SigningKeys"] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, settings: SigningSettings) -> "SigningKeys":
        """Return the mesh's keys; without any, keys that end with the process."""
        given = tuple(one.encode() for one in _each(settings.secret))
        return cls(given or (secrets.token_bytes(32),))

    def derived(self, purpose: str) -> "SigningKeys":
        """Return keys that are good for one purpose and tell nothing about the others."""
        known = self._derived.get(purpose)
        if known is None:
            known = self._derived[purpose] = SigningKeys(self._for(purpose))
        return known

    def renew(self, keys: tuple[bytes, ...]) -> None:
        """Have other keys from now on, in everything that was derived from these as well."""
        self.keys = keys
        for purpose, derived in self._derived.items():
            derived.renew(self._for(purpose))

    def _for(self, purpose: str) -> tuple[bytes, ...]:
        return tuple(hmac.digest(key, purpose.encode(), hashlib.sha256) for key in self.keys)

    def sealed(self, content: bytes) -> str:
        """Return a text of URL-safe characters that holds `content`, readable and signed."""
        return _text(_digest(self.keys[0], content) + content)

    def opened(self, text: str) -> bytes | None:
        """Return the content of a text that `sealed` has made, or None for any other."""
        raw = _bytes(text)
        # One text for each content: base64 has others, with its spare bits set or its own signs.
        if raw is None or _text(raw) != text:
            return None
        digest, content = raw[:_DIGEST_BYTES], raw[_DIGEST_BYTES:]
        ours = [hmac.compare_digest(_digest(key, content), digest) for key in self.keys]
        return content if any(ours) else None


def _each(secret: SecretStr) -> list[str]:
    return re.findall(r"[^,\s]+", secret.get_secret_value())


def _digest(key: bytes, content: bytes) -> bytes:
    return hmac.digest(key, content, hashlib.sha256)[:_DIGEST_BYTES]


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _bytes(text: str) -> bytes | None:
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        return None
