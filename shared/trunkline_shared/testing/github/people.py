"""Who acts: users, bots, GitHub Apps, and the tokens that stand for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

HOUR_S = 3600
USER_LIMIT = 5000
ANONYMOUS_LIMIT = 60
LEVELS = ("none", "read", "write", "admin")


@dataclass(slots=True, kw_only=True, eq=False)
class Budget:
    """A primary rate limit: calls left until `resets_at` (seconds since the epoch)."""

    limit: int
    remaining: int
    resets_at: float

    @property
    def used(self) -> int:
        return self.limit - self.remaining

    def renew(self, now: float) -> None:
        """Begin a new hour when the old one is over."""
        if now >= self.resets_at:
            self.remaining = self.limit
            self.resets_at = now + HOUR_S

    def count(self) -> None:
        self.remaining = max(0, self.remaining - 1)

    def exhaust(self, resets_at: float) -> None:
        """Leave nothing until `resets_at`, in seconds since the epoch."""
        self.remaining = 0
        self.resets_at = resets_at


def new_budget(limit: int = USER_LIMIT) -> Budget:
    """Return an untouched budget, whose hour begins with the first call."""
    return Budget(limit=limit, remaining=limit, resets_at=0)


@dataclass(slots=True, kw_only=True, eq=False)
class User:
    """A person, a bot or an organization."""

    id: int
    login: str
    kind: Literal["User", "Bot", "Organization"] = "User"
    budget: Budget = field(default_factory=new_budget)


@dataclass(slots=True, kw_only=True, eq=False)
class Token:
    """A bearer token: `secret` goes into the header, `name` into the request log.

    `permissions` None is a classic token, which may do what its user may; `repositories` None
    reaches all. Times in seconds since the epoch.
    """

    secret: str
    name: str
    user: User
    budget: Budget
    permissions: Mapping[str, str] | None = None
    repositories: frozenset[int] | None = None
    installation: "Installation | None" = None
    valid_from: float = 0
    expires_at: float = float("inf")
    revoked: bool = False

    def accepted(self, now: float) -> bool:
        return not self.revoked and self.valid_from <= now < self.expires_at


@dataclass(slots=True, kw_only=True, eq=False)
class App:
    """A GitHub App; `public_key` (PEM) verifies the tokens that it signs for itself."""

    id: int
    client_id: str
    slug: str
    owner: User
    bot: User
    public_key: str
    refuses_new_tokens_for_s: float = 0


@dataclass(slots=True, kw_only=True, eq=False)
class Installation:
    """An App on an account, with its permissions there; `repositories` None is all of them."""

    id: int
    app: App
    account: User
    permissions: Mapping[str, str]
    repositories: frozenset[int] | None = None
    suspended: bool = False
    budget: Budget = field(default_factory=new_budget)
