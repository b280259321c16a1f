"""Proof that a delivery comes from whoever knows a secret."""

import hashlib
import hmac
import re
from collections.abc import Iterable

from trunkline_router.webhooks.delivery import Unproven

_SIGNATURE = re.compile(r"sha256=([0-9a-fA-F]{64})")


def signature_in(text: str | None, header: str) -> str:
    """Return the digest of a `sha256=…` header. Raises Unproven for anything else."""
    found = _SIGNATURE.fullmatch(text or "")
    if found is None:
        raise Unproven(f"{header} must be there and be sha256= with 64 hexadecimal digits.")
    return found[1].lower()


def prove_signed(body: bytes, signature: str, secrets: tuple[bytes, ...], header: str) -> None:
    """Raise Unproven for a body that was not signed with one of the secrets."""
    ours = (hmac.digest(secret, body, hashlib.sha256).hex() for secret in secrets)
    if not is_any_of(signature.encode(), (one.encode() for one in ours)):
        raise Unproven(f"{header} is not the signature of this body under a known secret.")


def is_any_of(given: bytes, known: Iterable[bytes]) -> bool:
    """Say whether it is one of those; how long that takes tells nothing about which, or where."""
    digest = hashlib.sha256(given).digest()
    found = [hmac.compare_digest(hashlib.sha256(one).digest(), digest) for one in known]
    return any(found)
