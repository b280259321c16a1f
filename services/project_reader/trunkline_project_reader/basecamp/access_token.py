"""The access token that the environment holds, which nothing here can renew."""

from dataclasses import dataclass

from trunkline_shared.errors import CredentialsMissing
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.vendor.credential import Credential

VARIABLE = "BASECAMP_ACCESS_TOKEN"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """Reads the variable, or its file, for every request."""

    secret: LiveSecret

    async def get(self) -> Credential:
        token = self.secret.get()
        if token is None:
            raise CredentialsMissing(
                "No Basecamp credential is configured.",
                hint=f"Set {VARIABLE} (or {VARIABLE}_FILE).",
                details={"reason": "no_token"},
            )
        return Credential(authorization=f"Bearer {token}", source=VARIABLE)

    async def renewed(
        self, refused: Credential, *, status: int, refusals: int
    ) -> Credential | None:
        """Return the token that the file holds by now, when it is another one."""
        present = await self.get()
        return present if present != refused and refusals == 1 else None
