"""A person's or a workflow's token: GITHUB_TOKEN, GH_TOKEN, gh, netrc; in this order."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from trunkline_shared.clock import Clock
from trunkline_shared.github.tokens.gh_cli import GhCli
from trunkline_shared.github.tokens.token import Token, missing, token
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.vendor.netrc_file import login

KEPT_S = 30.0
_UNAUTHORIZED = 401


@dataclass(slots=True)
class _Found:
    """The last answer of the slow sources (a program, a file) and until when it counts."""

    token: Token | None = None
    until: float = float("-inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalTokens:
    """Looks the token up anew for each request; the slow sources are asked every 30 s."""

    secret: LiveSecret
    gh: GhCli
    netrc_file: Path
    netrc_hosts: tuple[str, ...]
    clock: Clock
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    found: _Found = field(default_factory=_Found)

    async def get(self) -> Token:
        """Return the present token. Raises CredentialsMissing, or AuthError for an unusable one."""
        if value := self.secret.get():
            return token(value, " or ".join(self.secret.variables))
        async with self.lock:
            if self.clock.monotonic() >= self.found.until:
                self.found.token = await self._slow()
                self.found.until = self.clock.monotonic() + KEPT_S
        if self.found.token is None:
            raise missing()
        return self.found.token

    async def renewed(self, refused: Token, *, status: int, refusals: int) -> Token | None:
        """Look again, past any memory: the file or the login may just have been replaced."""
        if status != _UNAUTHORIZED or refusals > 1:
            return None
        self.found.until = float("-inf")
        present = await self.get()
        return None if present.value == refused.value else present

    async def _slow(self) -> Token | None:
        if value := await self.gh.token():
            return token(value, "gh auth token")
        found = await asyncio.to_thread(login, self.netrc_file, self.netrc_hosts, "GITHUB_TOKEN")
        return token(found.password, "netrc") if found else None
