"""What is asked of a store: small values with an end, that the whole mesh sees."""

from typing import Protocol


class Kept(Protocol):
    """Values under a key for `ttl_s` seconds at most; any of them may be lost at any time.

    So nothing may depend on a value being there. A store that cannot be used raises
    UpstreamUnavailable at once; whoever asks decides what goes on without it. `claim` sets a key
    that nobody has set, and says whether it was this call that did.
    """

    async def get(self, key: str) -> bytes | None: ...

    async def put(self, key: str, value: bytes, *, ttl_s: float) -> None: ...

    async def claim(self, key: str, *, ttl_s: float) -> bool: ...

    async def drop(self, key: str) -> None: ...
