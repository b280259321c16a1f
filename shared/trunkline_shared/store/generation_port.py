"""What is asked of a store: generations, whose change spoils what was kept under them.

A name's generation is a nonce: minted by the first who reads it, replaced by each bump. It never
comes back to an earlier value, whatever happens to the store.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from trunkline_shared.clock import Clock

NEVER = float("inf")


class Generation(NamedTuple):
    """A name's nonce; how many seconds ago it was bumped, and how many its hold still lasts."""

    nonce: str
    bumped_s: float = NEVER
    held_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """Generations as they stood together at one moment; `root` is folded into every key.

    `change` numbers the changes of those who know of each of them.
    """

    root: str
    by_name: Mapping[str, Generation]
    change: int = field(default=0, compare=False)


class Generations(Protocol):
    """Generations for whoever shares the store.

    `read` returns None when nothing that was kept may be used: the store does not answer, or one
    of those who share it has not been heard, so that its bumps may be missing. It never raises.

    `bump` returns when it has taken effect: no `read` that begins later, by anyone, returns a
    nonce from before, or else returns None. That may take some seconds for one who is cut off from
    the store. The names are held for `hold_s` seconds at least. It never raises.

    `joined` makes the one who bumps known to the others, for the length of the block.
    """

    async def read(self, names: Sequence[str]) -> Reading | None: ...

    async def bump(self, names: Sequence[str], *, hold_s: float) -> None: ...

    def joined(self, terms: "Membership") -> AbstractAsyncContextManager[None]: ...

    def state(self) -> Mapping[str, object]:
        """Return how it stands, for `/status`: `on`, and why not."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """How one who bumps is known: its name, and how long the others wait for a sign of it.

    `name` is the same for all lives of one process's place. After `silence_s` without a sign the
    others use nothing that was kept; after `forget_s` they take it for gone, None is never.
    """

    name: str
    clock: Clock
    beat_s: float = 1.0
    silence_s: float = 5.0
    forget_s: float | None = 900.0
