"""Calling the mesh's tools in the name of the present call's caller, through the router."""

from dataclasses import dataclass

from trunkline_shared.delegation import delegated
from trunkline_shared.errors import Unsupported
from trunkline_shared.mesh.answers import Json, structured
from trunkline_shared.mesh.asking import CALL, Asking
from trunkline_shared.mesh.entrance import Entrance


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshCaller:
    """Asks the router, with nothing but what the present call was delegated."""

    asking: Asking

    async def call(self, tool: str, arguments: Json, timeout_s: float, server: str = "") -> Json:
        """Call a tool once and return its structured content, within the present deadline.

        With `server` it is that server's tool, by the server's own name for it. Raises what the
        tool does; Unsupported when nothing is delegated or the mesh has no such tool,
        BlockedByPolicy when the caller's context does not offer it, AuthError, NetworkError,
        UpstreamTimeout, UpstreamUnavailable.
        """
        whole = entrance(tool)
        to = whole.of_server(server) if server else whole
        params = {"name": tool, "arguments": dict(arguments)}
        return structured(tool, await self.asking.ask(to, CALL, params, timeout_s))


def entrance(wanted: str) -> Entrance:
    """Return how the present call may enter the router for what is `wanted`. Raises Unsupported."""
    to = delegated()
    if to is None:
        raise Unsupported(
            f"{wanted} needs other servers of the mesh, and this call came without a delegation: "
            "not through the router, or from a server that others asked three deep already.",
            hint="Ask through the router, and call the tool itself.",
            details={"reason": "not_delegated"},
        )
    return Entrance(url=to.url, token=to.token)
