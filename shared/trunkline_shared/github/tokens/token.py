"""A token and what asks for one; it is awaited for every request and never captured."""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from trunkline_shared.errors import AuthError, CredentialsMissing
from trunkline_shared.vendor.credential import Credentials, fingerprint_of

_SENDABLE = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A credential that is never shown; `source` says where it came from.

    `renewable` says that the mesh itself can mint the next one; then `minted_for` names what all
    of them act for, however many processes mint.
    """

    value: str = field(repr=False)
    source: str
    renewable: bool = False
    minted_for: str = ""

    @property
    def fingerprint(self) -> str:
        """A name for the credential that tells nothing about it."""
        return fingerprint_of(self.value)

    @property
    def account(self) -> str:
        """A name for whom GitHub counts the credential's writes to, as far as it can be known."""
        return fingerprint_of(self.minted_for) if self.minted_for else self.fingerprint


TokenProvider: TypeAlias = Credentials[Token]


def token(value: str, source: str, *, renewable: bool = False, minted_for: str = "") -> Token:
    """Return a token that can be sent. Raises AuthError for one with blanks in it."""
    if not _SENDABLE.fullmatch(value):
        raise AuthError(
            f"The GitHub token from {source} holds blanks, line breaks or other characters that "
            "no token has.",
            hint=f"Set {source} to the bare token.",
            details={"reason": "malformed_token"},
        )
    return Token(value=value, source=source, renewable=renewable, minted_for=minted_for)


def missing(hint: str = "") -> CredentialsMissing:
    """Return the failure of a mesh without any GitHub credential."""
    return CredentialsMissing(
        "No GitHub credential is configured: set GITHUB_TOKEN.",
        hint=hint
        or "Set GITHUB_TOKEN (or GH_TOKEN, or either with _FILE), sign in with `gh auth login`, "
        "add the host to netrc, or set TRUNKLINE_GITHUB_APP_ID, TRUNKLINE_GITHUB_APP_PRIVATE_KEY "
        "and TRUNKLINE_GITHUB_APP_INSTALLATION_ID.",
        details={"variables": ["GITHUB_TOKEN", "GH_TOKEN"]},
    )
