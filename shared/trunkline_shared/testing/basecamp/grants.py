"""Who the authorization server has let in: its tokens, which of them still count, its accounts."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from trunkline_shared.clock import Clock, SystemClock

TWO_WEEKS_S = 1_209_600


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """A pair of tokens; `expires_at` is in seconds since the epoch."""

    access_token: str
    refresh_token: str
    expires_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One account of the person who let the client in; `bc3` is what Basecamp calls itself."""

    id: int
    name: str
    href: str
    product: str = "bc3"

    @property
    def payload(self) -> dict[str, object]:
        web = self.href.replace("basecampapi", "basecamp")
        return {
            "product": self.product,
            "id": self.id,
            "name": self.name,
            "href": self.href,
            "app_href": web,
        }


class GrantRefused(Exception):
    """A refusal by its code (RFC 6749, 5.2)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True, kw_only=True)
class Grants:
    """One client's tokens.

    Each renewal ends the access and the refresh token before it. `rotates` false is Launchpad's
    way: the refresh token stays, and is not repeated. An empty `client_secret` makes the client a
    public one; `resource` has to be echoed. `renewed` counts renewals, `reused` those that were
    tried with a refresh token from before.
    """

    clock: Clock = field(default_factory=SystemClock)
    client_id: str = "the-client"
    client_secret: str = "the-client's-secret"  # noqa: S105 - made up, for tests
    resource: str = ""
    rotates: bool = True
    lifetime_s: float | None = TWO_WEEKS_S
    accounts: list[Account] = field(default_factory=list)
    renewed: int = 0
    reused: int = 0
    _standing: list[Granted] = field(default_factory=list)
    _spent: set[str] = field(default_factory=set)

    def authorize(self) -> Granted:
        """Let the client in, as a person does in a browser."""
        lifetime = TWO_WEEKS_S if self.lifetime_s is None else self.lifetime_s
        granted = Granted(
            access_token=f"access-{secrets.token_urlsafe(24)}",
            refresh_token=f"refresh-{secrets.token_urlsafe(24)}",
            expires_at=self.clock.now() + lifetime,
        )
        self._standing.append(granted)
        return granted

    def is_valid(self, access_token: str) -> bool:
        """Whether the API takes an access token now."""
        return self.of(access_token) is not None

    def of(self, access_token: str) -> Granted | None:
        """Return the pair of a valid access token."""
        now = self.clock.now()
        return next(
            (g for g in self._standing if g.access_token == access_token and now < g.expires_at),
            None,
        )

    def expire(self, access_token: str) -> None:
        """End an access token before its time; its refresh token stays good."""
        self._standing = [
            replace(g, expires_at=float("-inf")) if g.access_token == access_token else g
            for g in self._standing
        ]

    def revoke(self, refresh_token: str) -> None:
        """End both tokens of a pair, as a person does in their account."""
        self._standing = [g for g in self._standing if g.refresh_token != refresh_token]

    def renew(self, asked: Mapping[str, str]) -> Granted:
        """Give the next pair for a refresh token. Raises GrantRefused."""
        if asked.get("grant_type") != "refresh_token":
            raise GrantRefused("unsupported_grant_type")
        secret = asked.get("client_secret", "")
        if (asked.get("client_id"), secret) != (self.client_id, self.client_secret):
            raise GrantRefused("invalid_client")
        if asked.get("resource", "") != self.resource:
            raise GrantRefused("invalid_target")
        former = self._former(asked.get("refresh_token", ""))
        self._standing.remove(former)
        fresh = self.authorize()
        if self.rotates:
            self._spent.add(former.refresh_token)
        else:
            self._standing.remove(fresh)
            fresh = replace(fresh, refresh_token=former.refresh_token)
            self._standing.append(fresh)
        self.renewed += 1
        return fresh

    def _former(self, refresh_token: str) -> Granted:
        if refresh_token in self._spent:
            self.reused += 1
        for granted in self._standing:
            if granted.refresh_token == refresh_token:
                return granted
        raise GrantRefused("invalid_grant")
