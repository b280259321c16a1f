"""Whom a token was just found to name: it is checked once, not at every call."""

from hashlib import sha256

from trunkline_router.model import Caller
from trunkline_router.ports import TokenVerifier
from trunkline_shared.clock import Clock

_MOST = 4096
_KEPT_S = 60.0


class RecentCallers:
    """Answers for `others` for a minute, and never beyond a token's own end.

    It keeps digests, not tokens. What is refused is not remembered.
    """

    def __init__(self, others: TokenVerifier, clock: Clock) -> None:
        self._others = others
        self._clock = clock
        self._known: dict[bytes, tuple[Caller, float]] = {}

    async def verify(self, bearer: str | None) -> Caller:
        digest = b"" if bearer is None else _digest(bearer)
        found = self._known.get(digest)
        now = self._clock.monotonic()
        if found is not None and now < found[1]:
            return found[0]
        self._known.pop(digest, None)
        caller = await self._others.verify(bearer)
        if len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        self._known[digest] = caller, min(now + _KEPT_S, caller.until)
        return caller


def _digest(bearer: str) -> bytes:
    return sha256(bearer.encode("utf-8", "surrogateescape")).digest()
