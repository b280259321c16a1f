"""What a session is: all that its signed id says, and what the mesh remembers beside it."""

import base64
import hashlib
from dataclasses import dataclass, field
from functools import lru_cache

from trunkline_router.model import Caller, Json

LIFE_S = 7 * 24 * 3600.0
_OWNER_BYTES = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A client's session, as its id says it; no memory is spent on it.

    `capabilities` are in the words of 2026-07-28. `scope` is the one server of its path. `owner`
    identifies the caller that opened it. `issued` is in seconds since the epoch. `replica` is
    where the event stream of a 2024-11-05 client stands, empty for any other client.
    """

    nonce: str
    owner: str
    issued: int
    version: str = ""
    capabilities: Json = field(default_factory=dict)
    client: Json = field(default_factory=dict)
    scope: str | None = None
    replica: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What a session has changed since it was opened.

    `level` is the lowest level of log messages that it wants. `opened` is what `initialize` said
    on an event stream of 2024-11-05, whose id is older than that.
    """

    ended: bool = False
    level: str | None = None
    uris: tuple[str, ...] = ()
    opened: Session | None = None


def owner_of(caller: Caller) -> str:
    """Return what tells a caller's sessions from another one's; it does not tell who that is."""
    return _owner(caller.key or "", caller.subject)


@lru_cache(maxsize=256)
def _owner(key: str, subject: str) -> str:
    digest = hashlib.sha256(f"{key}\n{subject}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:_OWNER_BYTES]).decode()
