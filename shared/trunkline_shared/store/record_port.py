"""What is asked of a store: small records that one holder at a time changes, over a whole mesh."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

LEASE_S = 30.0


class Record(Protocol):
    """A record that is held; what it holds is never shown.

    `read` returns None before the first write. `write` has taken effect, to survive the process,
    when it returns; it raises HoldLost, with nothing written, once the hold is over.
    """

    async def read(self) -> bytes | None: ...

    async def write(self, value: bytes) -> None: ...


class Records(Protocol):
    """Records under a key, for whoever shares the store; they outlive a restart where it can.

    A hold ends with its block, or by itself when its holder dies: at once, or after `lease_s`
    where the store cannot see that. So what a holder does must take less than `lease_s` seconds.
    Waiting for another holder takes `wait_s` seconds at most, then Overloaded is raised. A store
    that cannot be used raises UpstreamUnavailable at once: nothing is kept in its place.
    `Records.read` waits for no holder. Values may be read by whoever can read the store: seal
    those that are secret.
    """

    def held(
        self, key: str, *, wait_s: float, lease_s: float = LEASE_S
    ) -> AbstractAsyncContextManager[Record]: ...

    async def read(self, key: str) -> bytes | None: ...
