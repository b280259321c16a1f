"""People of an account, those who left, bots, and the tokens that stand for people."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal["User", "Client", "Integration", "Tombstone", "LocalPerson"]
NAMELESS: frozenset[Kind] = frozenset({"Integration", "Tombstone", "LocalPerson"})
"""Those that have no e-mail address."""


@dataclass(slots=True, kw_only=True, eq=False)
class Person:
    """Somebody who can be the author of something; `LocalPerson` is Basecamp itself."""

    id: int
    name: str
    email: str | None
    created_at: datetime
    kind: Kind = "User"
    title: str | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Token:
    """An access token: `secret` goes into the header, `name` into the request log."""

    secret: str
    name: str
    person: Person
    expired: bool = False
