"""What a server gets to call back with, in the name of its caller and with nothing more."""

import hashlib
import hmac
from dataclasses import dataclass

from trunkline_router.access.api_keys import KeyRing
from trunkline_router.access.job_tokens import Grant, JobTokens
from trunkline_router.fleet import Fleet
from trunkline_router.model import Call, Json
from trunkline_shared.clock import Clock

DEEPEST = 3
"""How many servers may ask in somebody's name, one for another."""
MARGIN_S = 1.0
"""How long a token outlives the call that it was minted for: clocks are read at two places."""
_OUTLASTING = frozenset({"contexts", "admin"})
"""Scopes whose use has effects after the call: minting further tokens, changing the mesh.

A call keeps those that its tool asks for.
"""
_METHODS = frozenset({"tools/call", "resources/read", "prompts/get"})
_CALLERS = "callers"
_CALLER_BYTES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """Mints a token for each call to one of `servers`; `url` is where they reach the router."""

    tokens: JobTokens
    keys: KeyRing
    servers: frozenset[str]
    fleet: Fleet
    url: str
    clock: Clock

    def of(self, call: Call) -> Json | None:
        """Return the `_meta` entry for a call's server, or None when it may not call back.

        The token has the caller's rights that end with the call, its context and remaining time,
        and one more in depth. It shows no tools through a search: who asks knows their names.
        `caller` tells callers apart, and says nothing of who they are.
        """
        caller = call.caller
        allowed = call.server in self.servers and call.request.method in _METHODS
        allowed = allowed and self.fleet.owns(call.server)
        if not allowed or caller.depth >= DEEPEST:
            return None
        needed = () if call.tool is None else call.tool.policy.scopes
        ends = min(call.deadline + MARGIN_S, caller.until)
        grant = Grant(
            subject=caller.subject,
            scopes=caller.scopes - _OUTLASTING.difference(needed),
            context=call.request.context,
            expires=self.clock.now() + ends - self.clock.monotonic(),
            key=caller.key,
            mark=self.keys.mark_of(caller.key),
            rights=self.keys.beyond(caller),
            depth=caller.depth + 1,
        )
        return {
            "url": self.url,
            "token": self.tokens.minted(grant),
            "caller": self._told_apart(caller.subject),
            "depth": grant.depth,
        }

    def _told_apart(self, subject: str) -> str:
        key = self.tokens.keys.derived(_CALLERS).keys[0]
        return hmac.digest(key, subject.encode(), hashlib.sha256)[:_CALLER_BYTES].hex()
