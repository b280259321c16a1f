"""What the router's breakers say of a query: each server that it names must be let through."""

import difflib
import math
from collections.abc import Mapping, Sequence

from trunkline_bridge.query.patterns import ToolPattern, refused_pattern
from trunkline_shared.errors import CircuitOpen
from trunkline_shared.mesh.states import ServerState

_MOST_NAMED = 20


def check_known(patterns: Sequence[ToolPattern], states: Mapping[str, ServerState]) -> None:
    """Raise InvalidInput for the first server that the caller does not have, with the nearest."""
    for index, pattern in enumerate(patterns):
        if pattern.server not in states:
            near = difflib.get_close_matches(pattern.server, states, n=1, cutoff=0.5)
            known = ", ".join(list(states)[:_MOST_NAMED]) or "none"
            fix = f"Did you mean {near[0]!r}? " if near else ""
            raise refused_pattern(
                index,
                str(pattern),
                f"names the server {pattern.server!r}, which is not one of yours",
                f"{fix}Yours: {known}.",
            )


def check_closed(servers: Sequence[str], states: Mapping[str, ServerState]) -> None:
    """Raise CircuitOpen for the first server whose breaker lets no call through now."""
    for server in servers:
        state = states.get(server)
        if state is not None and not state.admits:
            raise _refusal(server, state)


def _refusal(server: str, state: ServerState) -> CircuitOpen:
    breaker = state.breaker
    left = max(math.ceil(breaker.resets_in_s or 0), 1)
    return CircuitOpen(
        f"Server {server!r} failed {breaker.consecutiveFailures} times in a row and is left alone "
        f"for {left} s; nothing was run.",
        hint=f"Ask again in {left} s, or without the tools of {server!r}.",
        retry_after=left,
        details={
            "server": server,
            "state": breaker.state,
            "consecutive_failures": breaker.consecutiveFailures,
            "resets_in_s": breaker.resets_in_s,
        },
    )
