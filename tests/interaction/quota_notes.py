"""Notes on answers about a vendor's quota, as the mesh's own servers leave them."""

from aiohttp import web

from tests.interaction.caching import TTL_S
from tests.interaction.upstreams import Answer, Json, result

CREDENTIAL = "0123456789abcdef"


def noting(remaining: int, *, spent: int = 3, confirmed: int = 0) -> Answer:
    """Return an answer on which is noted what it has cost, and what is left."""
    left = {"limit": 5000, "remaining": remaining, "resets_in_s": TTL_S * 3}
    cost = {"spent": spent, "confirmed": confirmed}
    note = {"credential": CREDENTIAL, **cost, "resources": {"core": left}}

    async def answer(_: web.Request, request: Json) -> web.StreamResponse:
        given = {"structuredContent": {"version": 0}, "content": [], "isError": False}
        return result(
            request,
            {"resultType": "complete", **given, "_meta": {"dev.trunkline/quota": note}},
        )

    return answer
