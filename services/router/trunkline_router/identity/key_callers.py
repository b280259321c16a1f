"""Whoever shows an API key is who its entry in the configuration says."""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from trunkline_router.access.api_keys import caller_of
from trunkline_router.configuration.entries import KeyEntry
from trunkline_router.model import Caller
from trunkline_router.ports import TokenVerifier
from trunkline_router.wire.challenge import invalid_token

PREFIX = "tl_"
_NO_HASH = "0" * 64


def digest_of(secret: str) -> str:
    """Return what a configuration keeps of a key's secret part."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True, slots=True)
class _Known:
    hash: str
    caller: Caller


class KeyCallers:
    """Knows the bearers of API keys, `tl_{id}_{secret}`; whoever shows none is known by `others`.

    An unknown id costs the same work and gets the same words as a wrong secret.
    """

    def __init__(self, entries: Iterable[KeyEntry], others: TokenVerifier) -> None:
        self._known = {entry.id: _Known(entry.hash, caller_of(entry)) for entry in entries}
        self._others = others

    async def verify(self, bearer: str | None) -> Caller:
        if bearer is None or not bearer.startswith(PREFIX):
            return await self._others.verify(bearer)
        id_, _, secret = bearer.removeprefix(PREFIX).partition("_")
        known = self._known.get(id_)
        same = hmac.compare_digest(known.hash if known else _NO_HASH, digest_of(secret))
        if known is None or not same:
            raise invalid_token(
                "The API key is not valid: it was mistyped, revoked, or made elsewhere."
            )
        return known.caller
