"""A new API key: what its holder shows, and the hash that the configuration keeps of it."""

import secrets
import string
from dataclasses import dataclass, field
from hashlib import sha256

_ALPHABET = string.ascii_letters + string.digits
_LENGTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """`text` is the whole key, `digest` the SHA-256 of its secret part."""

    id: str
    text: str = field(repr=False)
    digest: str


def new_key(id_: str) -> ApiKey:
    """Return a key that nobody has had before."""
    secret = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
    return ApiKey(id=id_, text=f"tl_{id_}_{secret}", digest=sha256(secret.encode()).hexdigest())


def digest_of(text: str) -> str:
    """Return the hash of a key's secret part."""
    return sha256(text.strip().rpartition("_")[2].encode()).hexdigest()
