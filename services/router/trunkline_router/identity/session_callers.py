"""Whoever shows a browser's session is who has logged in, with what that one may do now."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from trunkline_router.access.api_keys import KeyRing
from trunkline_router.access.browser_sessions import BrowserSession, BrowserSessions
from trunkline_router.configuration.entries import OAuthEntry
from trunkline_router.identity.bearer import SESSION
from trunkline_router.model import Caller
from trunkline_router.wire.challenge import invalid_token
from trunkline_shared.clock import Clock

_MARK_LENGTH = 16


def mark_of_issuer(entry: OAuthEntry | None) -> str:
    """Return what tells an authorization server from another; empty where none is trusted."""
    if entry is None:
        return ""
    return sha256(entry.model_dump_json().encode()).hexdigest()[:_MARK_LENGTH]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCallers:
    """Knows the holders of sessions, each time anew: nothing of a session is remembered.

    A session ends with the API key that was shown, or with the trust in the authorization server
    whose token it was; `issuer` returns the one that is trusted now.
    """

    sessions: BrowserSessions
    keys: KeyRing
    issuer: Callable[[], OAuthEntry | None]
    clock: Clock

    async def verify(self, bearer: str) -> Caller:
        """Return the caller. Raises Refused, HTTP 401."""
        session = self.sessions.read(bearer.removeprefix(SESSION))
        caller = None if session is None else self._caller(session)
        if caller is None:
            raise invalid_token("The session has ended; log in again.")
        return caller

    def _caller(self, session: BrowserSession) -> Caller | None:
        until = self.clock.monotonic() + session.expires - self.clock.now()
        if session.key is not None:
            return self.keys.caller(session.key, session.mark, until)
        # An empty mark is of a time when nobody had to show anything.
        if not session.mark or session.mark != mark_of_issuer(self.issuer()):
            return None
        return Caller(subject=session.subject, scopes=frozenset(session.scopes), until=until)
