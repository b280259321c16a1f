"""What the operator has configured for Basecamp, read anew for every request."""

import re
from dataclasses import dataclass, field

from trunkline_shared.errors import AuthError, CredentialsMissing
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.vendor.credential import fingerprint_of

ACCESS = "BASECAMP_ACCESS_TOKEN"
REFRESH = "BASECAMP_REFRESH_TOKEN"
CLIENT_ID = "BASECAMP_CLIENT_ID"
CLIENT_SECRET = "BASECAMP_CLIENT_SECRET"  # noqa: S105 - the name of a variable
_SENDABLE = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessOnly:
    """An access token that nobody here can renew."""

    access_token: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewable:
    """A refresh token, whose it is and where it is spent; `access_token` may be empty."""

    refresh_token: str = field(repr=False)
    client_id: str
    client_secret: str = field(default="", repr=False)
    access_token: str = field(default="", repr=False)
    token_url: str
    resource: str = ""

    @property
    def key(self) -> str:
        """A name for what has been made of this refresh token; another one has another."""
        parts = (self.refresh_token, self.client_id, self.token_url)
        return f"basecamp:grant:{fingerprint_of(chr(0).join(parts))}"


def _live(variable: str) -> LiveSecret:
    return LiveSecret(variable)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfiguredTokens:
    """The four variables, each also as `NAME_FILE`."""

    token_url: str
    resource: str = ""
    access_token: LiveSecret = field(default_factory=lambda: _live(ACCESS))
    refresh_token: LiveSecret = field(default_factory=lambda: _live(REFRESH))
    client_id: LiveSecret = field(default_factory=lambda: _live(CLIENT_ID))
    client_secret: LiveSecret = field(default_factory=lambda: _live(CLIENT_SECRET))

    def now(self) -> AccessOnly | Renewable:
        """Return what is configured now.

        Raises CredentialsMissing when a part is absent, AuthError for one that cannot be sent.
        """
        access, refresh = _sendable(self.access_token), _sendable(self.refresh_token)
        if not refresh:
            if not access:
                raise _nothing()
            return AccessOnly(access_token=access)
        client_id = _sendable(self.client_id)
        if not client_id:
            raise _half()
        return Renewable(
            refresh_token=refresh,
            client_id=client_id,
            client_secret=_sendable(self.client_secret),
            access_token=access,
            token_url=self.token_url,
            resource=self.resource,
        )


def _sendable(secret: LiveSecret) -> str:
    value = secret.get() or ""
    if value and not _SENDABLE.fullmatch(value):
        (variable,) = secret.variables
        raise AuthError(
            f"{variable} holds blanks, line breaks or other characters that it cannot have.",
            hint=f"Set {variable} to the bare value, without quotes and without `Bearer`.",
            details={"reason": "malformed_token", "variables": [variable]},
        )
    return value


def _nothing() -> CredentialsMissing:
    return CredentialsMissing(
        f"No Basecamp credential is configured: set {ACCESS}.",
        hint=f"Set {ACCESS}, or {REFRESH} with {CLIENT_ID} and {CLIENT_SECRET} to have it renewed "
        "(or any of them with _FILE), and BASECAMP_ACCOUNT_ID.",
        details={"variables": [ACCESS]},
    )


def _half() -> CredentialsMissing:
    return CredentialsMissing(
        f"{REFRESH} is set, but {CLIENT_ID} is not: a token is renewed in its client's name.",
        hint=f"Set {CLIENT_ID} and {CLIENT_SECRET} to those of the client that got the token, or "
        f"unset {REFRESH} to use {ACCESS} for as long as it lasts.",
        details={"variables": [CLIENT_ID]},
    )
