"""What seals a conversation while its client has it: keys that replicas share, and whose it is."""

from collections.abc import Mapping
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.server.request_state import RequestStateSecurity

from trunkline_shared import meta
from trunkline_shared.signing import SigningKeys

PURPOSE: Final = "conversations"
ROUND_S: Final = 600.0
"""How long a client, and the person before it, may take for one round."""


def conversation_security(keys: SigningKeys) -> RequestStateSecurity:
    """Return how a `requestState` is sealed: encrypted, and good for its caller alone.

    The SDK binds it to the tool and the arguments too, and refuses any other with -32602
    (spec 2026-07-28, "Multi Round-Trip Requests").
    """
    # The SDK takes no key twice.
    ring = list(dict.fromkeys(keys.derived(PURPOSE).keys))
    return RequestStateSecurity(keys=ring, ttl=ROUND_S, bind_principal=_caller_of)


def _caller_of(ctx: ServerRequestContext[Any, Any]) -> str | None:
    """Return what tells this caller from others, as the router says it."""
    given: object = (ctx.meta or {}).get(meta.DELEGATION)
    caller = given.get("caller") if isinstance(given, Mapping) else None
    return caller if isinstance(caller, str) else None
