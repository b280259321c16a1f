"""Whoever reaches a router on the loopback interface is its owner."""

from trunkline_router.identity.scopes import ALL
from trunkline_router.model import Caller

LOCAL = "local"
"""Its subject."""
_LOCAL = Caller(subject=LOCAL, scopes=ALL)


class LocalCallers:
    """Takes every caller for the local one; a bearer token changes nothing and is not read."""

    async def verify(self, bearer: str | None) -> Caller:  # noqa: ARG002 - the port's signature
        return _LOCAL
