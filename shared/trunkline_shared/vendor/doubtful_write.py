"""A write that must not happen twice, also when nobody can say whether it has happened.

Vendors know no idempotency keys: after a failure that may have applied the write, what it would
have made is looked for. Their lists may lag behind, so that only the caller sends again, later.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from trunkline_shared.deadline import remaining
from trunkline_shared.errors import TrunklineError, UpstreamTimeout
from trunkline_shared.exchange import Endpoint

T = TypeVar("T")

_LONGEST_S = 15.0
_SHARE = 0.6


def with_time_to_look(endpoint: Endpoint[T]) -> Endpoint[T]:
    """Return the write with a part of the call's time left for looking what became of it."""
    return replace(endpoint, timeout_s=_SHARE * remaining(_LONGEST_S / _SHARE))


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtfulWrite(Generic[T]):
    """How to send a write, and how to find what it made.

    `repeatable` says that the caller may send the same call again without harm: it carries a
    marker, a key, or asks for what exists. `how_to_look` tells the caller what to do when it is
    not and the outcome stays unknown.
    """

    send: Callable[[], Awaitable[T]]
    look: Callable[[], Awaitable[T | None]]
    repeatable: bool
    how_to_look: str

    async def perform(self) -> T:
        """Send the write once; after a failure that may have applied it, look for it.

        It is never sent again by itself: what is not there yet may still come. Raises the
        failure, and UpstreamTimeout with `may_have_happened` when that is still unknown.
        """
        try:
            return await self.send()
        except TrunklineError as error:
            if not error.details.get("may_have_happened"):
                raise
            found = await self._found()
            if found is not None:
                return found
            raise self._unknown(error) from None

    async def _found(self) -> T | None:
        """Look for it; what cannot be looked for is not found."""
        try:
            return await self.look()
        except TrunklineError:
            return None

    def _unknown(self, error: TrunklineError) -> TrunklineError:
        return UpstreamTimeout(
            error.message,
            hint="It may have happened: call again with the same arguments, which never makes two."
            if self.repeatable
            else f"It may have happened: {self.how_to_look} before you send it again.",
            retryable=self.repeatable,
            retry_after=error.retry_after,
            details=error.details,
        )
