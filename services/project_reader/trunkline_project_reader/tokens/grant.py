"""A pair of tokens, how fresh it is, and its sealed form: worth nothing to who finds it."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic import TypeAdapter, ValidationError

from trunkline_project_reader.tokens.configured import Renewable

RENEW_BEFORE_S = 300.0
_VERSION = b"\x01"
_NONCE_BYTES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What the authorization server gave; times in seconds since the epoch.

    `serial` counts the renewals since the refresh token that is configured. `in_doubt` says that
    the refresh token was sent, and that no answer has been seen.
    """

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    expires_at: float | None = None
    obtained_at: float = 0.0
    serial: int = 0
    in_doubt: bool = False

    def is_due(self, now: float) -> bool:
        """Whether it has less than five minutes left, or half of a life shorter than ten."""
        if self.expires_at is None:
            return False
        margin = min(RENEW_BEFORE_S, max(self.expires_at - self.obtained_at, 0) / 2)
        return now >= self.expires_at - margin

    def has_ended(self, now: float) -> bool:
        return self.expires_at is not None and now >= self.expires_at


def configured_grant(source: Renewable) -> Grant:
    """Return what is configured, before anything was made of it."""
    return Grant(access_token=source.access_token, refresh_token=source.refresh_token)


def newest(grants: Iterable[Grant | None]) -> Grant | None:
    """Return the last one of a chain of renewals; of equal ones, the first that is given."""
    known = [grant for grant in grants if grant is not None]
    return max(known, key=lambda grant: (grant.serial, grant.obtained_at), default=None)


_GRANT = TypeAdapter(Grant)


def sealed(grant: Grant, source: Renewable) -> bytes:
    """Return the grant as only those can read it who have the configured refresh token."""
    nonce = os.urandom(_NONCE_BYTES)
    closed = _cipher(source).encrypt(nonce, _GRANT.dump_json(grant), source.key.encode())
    return _VERSION + nonce + closed


def unsealed(value: bytes | None, source: Renewable) -> Grant | None:
    """Return the grant of a sealed form, or None for one that is broken or another's."""
    if value is None or not value.startswith(_VERSION):
        return None
    nonce, closed = value[1 : 1 + _NONCE_BYTES], value[1 + _NONCE_BYTES :]
    try:
        return _GRANT.validate_json(_cipher(source).decrypt(nonce, closed, source.key.encode()))
    except (InvalidTag, ValueError, ValidationError):
        return None


def _cipher(source: Renewable) -> AESGCM:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"trunkline basecamp grant 1")
    return AESGCM(derived.derive(source.refresh_token.encode()))
