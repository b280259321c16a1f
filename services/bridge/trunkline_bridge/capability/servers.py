"""The servers of the present caller, by name."""

import difflib
from collections.abc import Mapping

from trunkline_shared.errors import InvalidInput
from trunkline_shared.mesh.states import ServerState
from trunkline_shared.untrusted import sanitize

_SHOWN = 100


def known_server(states: Mapping[str, ServerState], server: str) -> ServerState:
    """Return how a server stands. Raises InvalidInput, which names the nearest."""
    if server in states:
        return states[server]
    raise unknown("server", "server", server, states)


def unknown(field: str, kind: str, name: str, known: Mapping[str, object]) -> InvalidInput:
    """Return the refusal of a name that is none of the `known` ones."""
    nearest = difflib.get_close_matches(name[:_SHOWN], known, n=1)
    shown = sanitize(name)[:_SHOWN]
    listed = ", ".join(list(known)[:20]) or "none"
    return InvalidInput(
        f"There is no {kind} {shown!r} that this caller may use.",
        hint=f"Did you mean {nearest[0]!r}?" if nearest else f"There are: {listed}.",
        details={
            "field_errors": [
                {"field": field, "problem": f"is no {kind} of this caller", "kind": "unknown"}
            ]
        },
    )
