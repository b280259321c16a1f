"""Quotas that are exhausted, and which tools count against them: those need not be asked."""

import math
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field

from trunkline_router.model import Call, Json
from trunkline_router.protection.news import BreakerNews, WindowNews
from trunkline_router.protection.sharing import Sharing, Told
from trunkline_router.quota import Quota, Use
from trunkline_shared.clock import Clock
from trunkline_shared.errors import RateLimited

EVERYTHING = "*"
KEY = "windows"
_LONGEST_S = 3600.0
_MOST_WINDOWS = 1000
_MOST_QUOTAS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """Which quota may not be used until when, as the servers' own refusals have told.

    What a tool counts against is learnt from the refusal that it has met, so that no other tool is
    ever held back. Only `trusted` servers speak of credentials that others use too. `own` are the
    ids of the keys that bring a credential of their own; a use by others has no audience.
    """

    clock: Clock
    sharing: Sharing
    trusted: Callable[[str], bool]
    own: Callable[[], Container[str]]
    _until: dict[Quota, float] = field(default_factory=dict)
    _uses: dict[Use, set[Quota]] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        """Whether any quota is known to be exhausted."""
        return bool(self._until)

    def check(self, call: Call) -> None:
        """Raise RateLimited, with the seconds that remain, for a call that needs such a quota."""
        now = self.clock.monotonic()
        self._forget_past(now)
        for quota in self._uses.get(self._use(call), ()):
            left = max(self._left(quota, now), self._left(Quota(quota.credential, EVERYTHING), now))
            if left > 0:
                raise _held(call, quota, math.ceil(left))

    def learn(self, call: Call, limited: RateLimited) -> None:
        """Take in a refusal: exactly so long as it says, nothing need be sent."""
        wait = min(limited.retry_after or 0.0, _LONGEST_S)
        if wait <= 0:
            return
        quota, use = self._quota(call.server, limited), self._use(call)
        quotas = self._uses.setdefault(use, set())
        if len(quotas) < _MOST_QUOTAS:
            quotas.add(quota)
        now = self.clock.monotonic()
        self._forget_past(now)
        # Who was held back by a server tells what is left, rounded up: that is no new window.
        if limited.details.get("phase") != "held" or quota not in self._until:
            self._close(quota, now + wait)
        self._tell(quota, now)

    def to_json(self) -> Sequence[Json]:
        """Return the exhausted quotas, and the tools that are known to need them."""
        now = self.clock.monotonic()
        self._forget_past(now)
        return [
            {
                "credential": quota.credential,
                "resource": quota.resource,
                "resets_in_s": round(until - now, 1),
                "tools": sorted({f"{use.server}.{use.tool}" for use in self._users(quota)}),
            }
            for quota, until in self._until.items()
        ]

    def keys(self) -> Iterable[str]:
        return (KEY,)

    def heard(self, news: BreakerNews | WindowNews) -> None:
        if isinstance(news, WindowNews):
            self._install(news, news.left_s)

    def recalled(self, _: str, news: Sequence[BreakerNews | WindowNews]) -> None:
        now = self.clock.monotonic()
        known = tuple(self._until)
        for kept in news:
            if isinstance(kept, WindowNews):
                self._install(kept, kept.at + kept.left_s - self.clock.now())
        for quota in known:
            self._tell(quota, now)

    def _install(self, news: WindowNews, left_s: float) -> None:
        if left_s <= 0:
            return
        quota = Quota(news.credential, news.resource)
        self._close(quota, self.clock.monotonic() + min(left_s, _LONGEST_S))
        for server, tool, audience in news.tools:
            self._uses.setdefault(Use(server, tool, audience), set()).add(quota)

    def _close(self, quota: Quota, until: float) -> None:
        if len(self._until) < _MOST_WINDOWS:
            self._until[quota] = until

    def _quota(self, server: str, limited: RateLimited) -> Quota:
        told = limited.details.get("throttle")
        named = told if isinstance(told, dict) else {}
        credential = str(named.get("credential", ""))[:200]
        # Another server's word must not close a quota that is not its own.
        owner = credential if self.trusted(server) and credential else f"{server}:{credential}"
        return Quota(owner, str(named.get("resource", EVERYTHING))[:100])

    def _use(self, call: Call) -> Use:
        key = call.caller.key
        audience = key if key is not None and key in self.own() else ""
        return Use(call.server, call.name if call.tool else call.request.method, audience)

    def _users(self, quota: Quota) -> Sequence[Use]:
        return [use for use, quotas in self._uses.items() if quota in quotas]

    def _left(self, quota: Quota, now: float) -> float:
        return self._until.get(quota, now) - now

    def _forget_past(self, now: float) -> None:
        for quota in [quota for quota, until in self._until.items() if until <= now]:
            del self._until[quota]

    def _tell(self, quota: Quota, now: float) -> None:
        lines = [self._news(each, now).model_dump_json().encode() for each in self._until]
        if quota in self._until:
            self.sharing.tell(
                Told(
                    key=KEY,
                    record=b"\n".join(lines),
                    ttl_s=max(self._until.values()) - now,
                    message=self._news(quota, now).model_dump_json().encode(),
                )
            )

    def _news(self, quota: Quota, now: float) -> WindowNews:
        return WindowNews(
            origin=self.sharing.origin,
            at=self.clock.now(),
            credential=quota.credential,
            resource=quota.resource,
            left_s=max(self._left(quota, now), 0.0),
            tools=tuple(self._users(quota)),
        )


def _held(call: Call, quota: Quota, wait: int) -> RateLimited:
    return RateLimited(
        f"The rate limit ({quota.resource}) that {call.name!r} of server {call.server!r} counts "
        "against is exhausted; nothing was sent.",
        hint=f"Wait {wait} s.",
        retry_after=wait,
        details={
            "reason": "throttled",
            "phase": "held",
            "throttle": {"credential": quota.credential, "resource": quota.resource},
        },
    )
