"""Jira's credentials: JIRA_USERNAME with JIRA_API_TOKEN, JIRA_PERSONAL_TOKEN, else netrc."""

import asyncio
import base64
import re
from dataclasses import dataclass
from pathlib import Path

from trunkline_jira.address import CLOUD, GATEWAY
from trunkline_shared.errors import AuthError, CredentialsMissing
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.vendor.callers_own import SOURCE
from trunkline_shared.vendor.credential import Credential
from trunkline_shared.vendor.netrc_file import login

USERNAME, API_TOKEN, PERSONAL = "JIRA_USERNAME", "JIRA_API_TOKEN", "JIRA_PERSONAL_TOKEN"
VARIABLES = ("JIRA_HOST", USERNAME, API_TOKEN, PERSONAL)
EVERY_SITE = "atlassian.net"
"""The entry of netrc that twig uses for any site of Cloud."""

_UNAUTHORIZED = 401
_SENDABLE = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class JiraCredentials:
    """Looks the credential up anew for each request, so that a changed one counts at once.

    `host` is the site's, empty when no Jira is configured.
    """

    host: str
    username: LiveSecret
    api_token: LiveSecret
    personal: LiveSecret
    netrc_file: Path

    async def get(self) -> Credential:
        """Return the present credential.

        Raises CredentialsMissing, or AuthError for one that cannot be sent.
        """
        if not self.host:
            raise _no_site()
        found = self._configured()
        return found if found is not None else await self._from_netrc()

    async def renewed(
        self, refused: Credential, *, status: int, refusals: int
    ) -> Credential | None:
        """Look again, once: the variable's file or netrc may just have been replaced."""
        if status != _UNAUTHORIZED or refusals > 1:
            return None
        present = await self.get()
        return None if present == refused else present

    def brought(self, given: str) -> Credential:
        """Return the credential that a caller brings: `user:token` is basic, any other a bearer.

        Raises CredentialsMissing where no Jira is configured, AuthError for a malformed one.
        """
        if not self.host:
            raise _no_site()
        user, colon, secret = given.partition(":")
        return basic(user, secret, SOURCE) if colon else bearer(given, SOURCE)

    def _configured(self) -> Credential | None:
        """Return what the variables say: basic first on Cloud, the personal token elsewhere."""
        basic, bearer = self._basic(), self._bearer()
        cloud = self.host == GATEWAY or self.host.endswith(CLOUD)
        return (basic or bearer) if cloud else (bearer or basic)

    def _basic(self) -> Credential | None:
        user, token = self.username.get(), self.api_token.get()
        if user and token:
            return basic(user, token, API_TOKEN)
        if (user or token) and not self.personal.get():
            there, absent = (USERNAME, API_TOKEN) if user else (API_TOKEN, USERNAME)
            raise CredentialsMissing(
                f"{there} is set and {absent} is not: Jira needs both.",
                hint=f"Set {absent}, or {PERSONAL} in place of both.",
                details={"variables": [absent], "reason": "incomplete"},
            )
        return None

    def _bearer(self) -> Credential | None:
        token = self.personal.get()
        return bearer(token, PERSONAL) if token else None

    async def _from_netrc(self) -> Credential:
        hosts = tuple(dict.fromkeys((self.host, EVERY_SITE)))
        try:
            found = await asyncio.to_thread(login, self.netrc_file, hosts, API_TOKEN)
        except AuthError as unusable:
            raise CredentialsMissing(
                f"No Jira credential is configured, and netrc cannot help: {unusable.message}",
                hint=unusable.hint,
                details={**unusable.details, "variables": list(VARIABLES[1:])},
            ) from None
        if found is None:
            raise _no_credential(self.host)
        if not found.user:
            return bearer(found.password, "netrc")
        return basic(found.user, found.password, "netrc")


def basic(user: str, token: str, source: str) -> Credential:
    """Return a user with an API token or password. Raises AuthError for one that is malformed."""
    if ":" in user or not (user + token).isprintable():
        raise _malformed(USERNAME if ":" in user else source)
    encoded = base64.b64encode(f"{user}:{token}".encode()).decode()
    return Credential(authorization=f"Basic {encoded}", source=source)


def bearer(token: str, source: str) -> Credential:
    """Return a personal or OAuth token. Raises AuthError for one that is malformed."""
    if not _SENDABLE.fullmatch(token):
        raise _malformed(source)
    return Credential(authorization=f"Bearer {token}", source=source)


def _malformed(source: str) -> AuthError:
    return AuthError(
        f"The Jira credential from {source} holds blanks, line breaks or other characters that "
        "none has.",
        hint=f"Set {source} to the bare value.",
        details={"reason": "malformed_token"},
    )


def _no_site() -> CredentialsMissing:
    return CredentialsMissing(
        "No Jira is configured: set JIRA_HOST.",
        hint="Set JIRA_HOST (or TRUNKLINE_JIRA_URL), and JIRA_USERNAME with JIRA_API_TOKEN, or "
        "JIRA_PERSONAL_TOKEN (each also with _FILE), or add the host to netrc.",
        details={"variables": list(VARIABLES)},
    )


def _no_credential(host: str) -> CredentialsMissing:
    return CredentialsMissing(
        f"No credential for the Jira at {host} is configured: set JIRA_USERNAME and "
        "JIRA_API_TOKEN, or JIRA_PERSONAL_TOKEN.",
        hint="An e-mail address and its API token on Cloud, a personal token on Data Center; each "
        f"variable also with _FILE, or machine {host} (or {EVERY_SITE}) in netrc.",
        details={"variables": list(VARIABLES[1:])},
    )
