"""Browser sessions: who has logged in, and until when, signed; a session holds no key."""

import re
from dataclasses import dataclass, field

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from trunkline_shared.clock import Clock
from trunkline_shared.signing import SigningKeys

PURPOSE = "dashboard sessions"
LASTS_S = 12 * 3600.0
_LONGEST = 4096
_WRITTEN = re.compile(r"[A-Za-z0-9_-]+")


class BrowserSession(BaseModel):
    """Who has logged in; `expires` is in seconds since the epoch.

    `mark` tells what was shown from what takes its place later: the API key `key`, or, where that
    is None, the authorization server whose token had `scopes`.
    """

    model_config = ConfigDict(frozen=True)

    subject: str
    key: str | None
    mark: str
    scopes: tuple[str, ...] = ()
    expires: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSessions:
    """Writes the sessions of one mesh, and reads them again at any of its routers."""

    keys: SigningKeys = field(repr=False)
    clock: Clock

    def written(self, session: BrowserSession) -> str:
        """Return what a browser keeps; it is a secret, of characters that a cookie may have."""
        return self.keys.sealed(orjson.dumps(session.model_dump()))

    def read(self, text: str) -> BrowserSession | None:
        """Return a session that still lasts; None for any text that is not exactly such a one."""
        if len(text) > _LONGEST or not _WRITTEN.fullmatch(text):
            return None
        content = self.keys.opened(text)
        if content is None:
            return None
        try:
            session = BrowserSession.model_validate_json(content)
        except ValidationError:
            return None
        return session if self.clock.now() < session.expires else None
