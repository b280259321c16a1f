"""Session ids: signed and self-describing, so that any replica serves a session, also later."""

import zlib
from dataclasses import dataclass, field

import orjson

from trunkline_router.sessions.session import LIFE_S, Session
from trunkline_router.wire.refusal import Refused, invalid_request
from trunkline_shared.clock import Clock
from trunkline_shared.signing import SigningKeys

PURPOSE = "sessions"
_LONGEST = 4096
_MOST = 64
_SLACK_S = 300.0
_FORMAT = b"1"
_USUAL = (
    b'{"tools":{},"context":{},"sampling":{},"roots":{},"elicitation":{"url":{},"form":{}}}'
    b'"2025-03-26","2025-06-18","2024-11-05","2025-11-25",{"name":"mcp","version":"0.1.0"},null'
)
"""What most ids hold: a text that both ends know makes them a third shorter (RFC 1950)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionIds:
    """Writes sessions as texts of URL-safe characters, and reads them again."""

    keys: SigningKeys = field(repr=False)
    clock: Clock
    _known: dict[str, tuple[tuple[bytes, ...], Session]] = field(default_factory=dict, repr=False)

    def minted(self, session: Session) -> str:
        """Return the id of a session; it is good for seven days."""
        told = [
            *(session.nonce, session.owner, session.issued, session.version),
            *(session.capabilities, session.client, session.scope, session.replica),
        ]
        packing = zlib.compressobj(level=9, wbits=-15, zdict=_USUAL)
        return self.keys.sealed(_FORMAT + packing.compress(orjson.dumps(told)) + packing.flush())

    def read(self, text: str, scope: str | None) -> Session:
        """Return the session of an id that was presented at a path. Raises Refused, HTTP 404."""
        session = self._read(text)
        age_s = self.clock.now() - session.issued
        if session.scope != scope or not -_SLACK_S <= age_s < LIFE_S:
            raise unknown_session()
        return session

    def _read(self, text: str) -> Session:
        """Return what an id says. A client shows its own each time; other keys open it anew."""
        keys = self.keys.keys
        known = self._known.get(text)
        if known is not None and known[0] is keys:
            return known[1]
        packed = self.keys.opened(text) if len(text) <= _LONGEST else None
        if packed is None or not packed.startswith(_FORMAT):
            raise unknown_session()
        session = _session(packed.removeprefix(_FORMAT))
        if len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        self._known[text] = keys, session
        return session


def unknown_session() -> Refused:
    """Return the refusal that makes clients open a new session."""
    return invalid_request("There is no such session; open a new one by initialize.", status=404)


def _session(packed: bytes) -> Session:
    """Read what `minted` has written: nobody else's texts get this far, but other versions' may."""
    try:
        told = orjson.loads(zlib.decompressobj(wbits=-15, zdict=_USUAL).decompress(packed))
        nonce, owner, issued, version, capabilities, client, scope, replica = told
    except (zlib.error, TypeError, ValueError):
        raise unknown_session() from None
    return Session(
        nonce=nonce,
        owner=owner,
        issued=issued,
        version=version,
        capabilities=capabilities,
        client=client,
        scope=scope,
        replica=replica,
    )
