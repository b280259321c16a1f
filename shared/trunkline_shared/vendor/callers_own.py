"""A caller's own credential in place of the mesh's, for as long as the caller's call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from cachetools import LRUCache

from trunkline_shared.caller_credentials import given_credential
from trunkline_shared.vendor.credential import Credentials, CredentialT, fingerprint_of

T = TypeVar("T")
_MOST = 256

SOURCE = "the caller's key"
"""Where such a credential came from, in messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallersOwn(Generic[CredentialT]):
    """Gives what the present caller brings for `vendor`, as `read` makes it; else the mesh's own.

    One that the vendor refuses is not replaced: the mesh's own would do what its caller may not.
    """

    vendor: str
    read: Callable[[str], CredentialT]
    otherwise: Credentials[CredentialT]

    async def get(self) -> CredentialT:
        """Return the credential for the next request. Raises as the mesh's own do."""
        given = given_credential(self.vendor)
        return await self.otherwise.get() if given is None else self.read(given)

    async def renewed(
        self, refused: CredentialT, *, status: int, refusals: int
    ) -> CredentialT | None:
        if given_credential(self.vendor) is not None:
            return None
        return await self.otherwise.renewed(refused, status=status, refusals=refusals)


def audience(vendor: str) -> str:
    """Return a name for whose credential the present call uses; empty for the mesh's own."""
    given = given_credential(vendor)
    return "" if given is None else fingerprint_of(given)


class PerCredential(Generic[T]):
    """What is remembered of a vendor, for each credential apart: each sees other things."""

    def __init__(self, vendor: str, make: Callable[[], T]) -> None:
        self._vendor = vendor
        self._make = make
        self._known: LRUCache[str, T] = LRUCache(_MOST)

    def current(self) -> T:
        """Return what is remembered for the present call's credential."""
        whose = audience(self._vendor)
        known = self._known.get(whose)
        if known is None:
            known = self._known[whose] = self._make()
        return known
