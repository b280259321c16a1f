"""Which scope each path of the router asks for, and whether a caller has it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from trunkline_router.model import Caller
from trunkline_router.wire.challenge import insufficient_scope

TOOLS = "tools"
CONTEXTS = "contexts"
OBSERVE = "observe"
ADMIN = "admin"
ALL = frozenset({TOOLS, CONTEXTS, OBSERVE, ADMIN})

LOGIN, LOGOUT = "/login", "/logout"
OPEN = frozenset({"/healthz", "/readyz", LOGIN, LOGOUT})
"""What anybody may ask: whether the router lives, and to be let in."""
PROVEN = "/webhooks/"
SPANS = "/v1/traces"
"""What comes there, or below the former, carries its own proof."""
STATIC = "/static/"
"""The dashboard's page and its files: the same for everybody, and without anything secret."""
PAGES: Mapping[str, str] = {
    "/": OBSERVE,
    "/status": OBSERVE,
    "/metrics": OBSERVE,
    "/contexts": CONTEXTS,
    "/api/audit": ADMIN,
    "/api/mesh": TOOLS,
}
"""Paths that are no MCP endpoints, and the scope that each asks for."""

_ROUTES: Mapping[str, str] = {"/api/": "/api/{page}", "/servers/": "/servers/{id}/mcp"}


# Nearly all that is asked for is at a few paths.
@lru_cache(maxsize=256)
def needed_for(path: str) -> str | None:
    """Return the scope that a path asks for; None where no scope, nor a token, is needed."""
    if path in OPEN or path == SPANS or path.startswith((PROVEN, STATIC)):
        return None
    if path.startswith("/api/"):
        return PAGES.get(path, OBSERVE)
    # Whatever is not named is closed: a new path is never open by oversight.
    return PAGES.get(path, TOOLS)


def route_of(path: str) -> str:
    """Return a path as a span may be named after it: without what is in it; empty for no page."""
    if path in PAGES or path == "/mcp":
        return path
    return next((route for start, route in _ROUTES.items() if path.startswith(start)), "")


def reaches(caller: Caller, scope: str) -> bool:
    """Say whether a caller has a scope.

    A server that asks in somebody's name may narrow what it was given, whatever its caller may.
    """
    return scope in caller.scopes or (scope == CONTEXTS and caller.depth > 0)


def require(caller: Caller, scope: str, spelled: Sequence[str] = ()) -> None:
    """Raise Refused, HTTP 403, for a caller whose token lacks a scope.

    `spelled` is what the scope is called where clients ask for it, if not by its own name.
    """
    if not reaches(caller, scope):
        needed = spelled or (scope,)
        held = ", ".join(sorted(caller.scopes)) or "none"
        raise insufficient_scope(
            needed, f"This needs the scope {' '.join(needed)}; the token's scopes: {held}."
        )
