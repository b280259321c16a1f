"""What is asked of a store: large values that may vanish, and who is about to make one."""

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Entry:
    """Bytes, and the seconds that the store would keep them yet."""

    data: bytes = field(repr=False)
    left_s: float


class Entries(Protocol):
    """Bytes under a key for `life_s` seconds at most; any of them may be lost at any time.

    Nothing here raises: a store that is away has nothing and keeps nothing.

    `lead` says whether it is the caller who makes what belongs under the key: one over the whole
    mesh, for `for_s` seconds at most. `let_go` ends that, whether something was put or not.
    `settled` waits until a leader has let go, at most `within_s` seconds; it may return earlier.
    Without a store that is shared everybody leads.
    """

    async def get(self, key: str) -> Entry | None: ...

    async def put(self, key: str, data: bytes, *, life_s: float) -> None: ...

    async def lead(self, key: str, *, for_s: float) -> bool: ...

    async def let_go(self, key: str) -> None: ...

    async def settled(self, key: str, *, within_s: float) -> None: ...
