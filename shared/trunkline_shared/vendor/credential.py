"""A vendor's credential and what gives it; it is awaited for every request and never captured."""

import hashlib
from dataclasses import dataclass, field
from typing import Protocol, TypeVar


def fingerprint_of(secret: str) -> str:
    """Return a name for a secret that tells nothing about it."""
    return hashlib.sha256(b"trunkline\0" + secret.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """What the `Authorization` header says; it is never shown. `source` says where it came from."""

    authorization: str = field(repr=False)
    source: str

    @property
    def fingerprint(self) -> str:
        """A name for the credential that tells nothing about it."""
        return fingerprint_of(self.authorization)

    @property
    def account(self) -> str:
        """A name for whom the vendor counts the credential's requests to."""
        return self.fingerprint


class Identified(Protocol):
    """The names of a credential, whatever it is made of."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def account(self) -> str: ...


CredentialT = TypeVar("CredentialT", bound=Identified)


class Credentials(Protocol[CredentialT]):
    """Gives the credential for the next request.

    `get` raises CredentialsMissing when none is configured. `renewed` is asked after the vendor
    refused one with `status` (401 or 403) for the `refusals`-th time in one call; it returns the
    one to try next, or None when there is no better one.
    """

    async def get(self) -> CredentialT: ...

    async def renewed(
        self, refused: CredentialT, *, status: int, refusals: int
    ) -> CredentialT | None: ...
