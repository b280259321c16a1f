"""Installation tokens of a GitHub App: minted, kept for most of their hour, minted again.

https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError
from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.reading import one
from trunkline_shared.github.tokens.app_key import AppKey
from trunkline_shared.github.tokens.token import Token, missing, token
from trunkline_shared.live_secret import LiveSecret

RENEW_BEFORE_S = 300.0
FRESH_S = 10.0
FRESH_WAITS_S = (1.0, 2.0, 4.0)
_UNAUTHORIZED = 401
_TEMPLATE = "/app/installations/{installation_id}/access_tokens"


class InstallationToken(BaseModel):
    """What minting answers."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    token: str
    expires_at: datetime


_read_token = one(InstallationToken)


def mint(installation_id: int) -> Endpoint[InstallationToken]:
    """Mint a token for one installation; minting twice only leaves one unused."""
    return Endpoint(
        request=Request(
            method="POST",
            path=f"/app/installations/{installation_id}/access_tokens",
            template=_TEMPLATE,
        ),
        read=_read_token,
        repeatable=True,
        timeout_s=15,
    )


Mint = Callable[[Endpoint[InstallationToken], str], Awaitable[InstallationToken]]


@dataclass(slots=True)
class _Kept:
    token: Token | None = None
    minted_at: float = float("-inf")
    expires_at: float = float("-inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class AppTokens:
    """One installation's tokens; `perform` sends the minting with the App's own JWT.

    However many requests wait for a token, one is minted.
    """

    app_id: str
    installation_id: str
    private_key: LiveSecret
    perform: Mint
    clock: Clock
    key: AppKey = field(default_factory=AppKey)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    kept: _Kept = field(default_factory=_Kept)

    async def get(self) -> Token:
        """Return a token with at least five minutes to live.

        Raises CredentialsMissing when a part of the App's configuration is absent, AuthError when
        the key is unusable, or the failure of minting.
        """
        pem, installation = self._configured()
        async with self.lock:
            if self.kept.token is None or self._ends_soon():
                await self._mint(pem, installation)
            assert self.kept.token is not None
            return self.kept.token

    async def renewed(self, refused: Token, *, status: int, refusals: int) -> Token | None:
        """Wait for GitHub to know a brand-new token; drop an older one and mint once."""
        if self._is_fresh(refused):
            if refusals > len(FRESH_WAITS_S):
                return None
            await self.clock.sleep(FRESH_WAITS_S[refusals - 1])
            return refused
        if status != _UNAUTHORIZED or refusals > 1:
            return None
        if self.kept.token == refused:
            self.kept.token = None
        return await self.get()

    def _configured(self) -> tuple[str, int]:
        pem = self.private_key.get()
        if not pem:
            raise missing(
                "Set TRUNKLINE_GITHUB_APP_PRIVATE_KEY (or _FILE): the App id alone is "
                "no credential. Or unset TRUNKLINE_GITHUB_APP_ID and set GITHUB_TOKEN."
            )
        if not (self.installation_id.isascii() and self.installation_id.isdigit()):
            raise missing(
                "Set TRUNKLINE_GITHUB_APP_INSTALLATION_ID to the number in the URL of "
                "the App's installation."
            )
        return pem, int(self.installation_id)

    def _ends_soon(self) -> bool:
        return self.clock.now() >= self.kept.expires_at - RENEW_BEFORE_S

    def _is_fresh(self, used: Token) -> bool:
        age = self.clock.now() - self.kept.minted_at
        return self.kept.token == used and 0 <= age < FRESH_S

    async def _mint(self, pem: str, installation: int) -> None:
        asserted = await asyncio.to_thread(self.key.assertion, pem, self.app_id, self.clock.now())
        try:
            minted = await self.perform(mint(installation), asserted)
        except TrunklineError as error:
            # the request that waits for this token was never sent, whatever became of the minting
            error.details = {**error.details, "phase": "held"}
            raise
        self.kept.token = token(
            minted.token,
            "GitHub App",
            renewable=True,
            minted_for=f"app {self.app_id}, installation {installation}",
        )
        self.kept.minted_at = self.clock.now()
        self.kept.expires_at = minted.expires_at.timestamp()
