"""What an agent enters the mesh with: its caller's rights, less all but the query's tools."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from trunkline_bridge.query.patterns import refused
from trunkline_bridge.query.runner import Query
from trunkline_shared.errors import AuthError, UpstreamUnavailable
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.untrusted import sanitize

PAGE: Final = "/contexts"
PAGE_S: Final = 5.0
MARGIN_S: Final = 1
"""How long the token outlives the run: what an agent asks for last is answered."""
_SHOWN = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """Asks the router for a token that opens the query's tools alone, for as long as it runs."""

    asking: Asking

    async def narrowed(self, to: Entrance, query: Query) -> Entrance:
        """Return the entrance for an agent.

        Raises AuthError, InvalidInput for more patterns than a token holds, NetworkError,
        UpstreamTimeout, UpstreamUnavailable.
        """
        wanted = {
            "tools": [str(pattern) for pattern in query.tools],
            "ttl_s": math.ceil(query.timeout_s) + MARGIN_S,
        }
        status, body = await self.asking.page(to, PAGE, PAGE_S, wanted)
        token = body.get("token")
        if status == HTTPStatus.CREATED and isinstance(token, str):
            # The URL that the router tells is for clients outside; the bridge has its own way in.
            return Entrance(url=to.url, token=token)
        told = _told(body)
        if status == HTTPStatus.BAD_REQUEST:
            raise refused("tools", f"cannot be made a token of: {told}", "Name whole servers.")
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise AuthError(f"The router gives this caller no narrower token: {told}")
        raise UpstreamUnavailable(f"The router answered {PAGE} with HTTP {status}: {told}")


def _told(body: Mapping[str, object]) -> str:
    said = " ".join(str(body[key]) for key in ("error", "fix") if key in body)
    return sanitize(said)[:_SHOWN] or "it does not say why"
