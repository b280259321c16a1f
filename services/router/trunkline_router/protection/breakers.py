"""Every server's breaker, shared by all routers of the mesh."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from trunkline_router.configuration.entries import BreakerTerms
from trunkline_router.model import Call
from trunkline_router.protection.breaker import Breaker, Cause, Permit, State
from trunkline_router.protection.news import BreakerNews, Kind, WindowNews
from trunkline_router.protection.sharing import Sharing, Told
from trunkline_router.protection.verdict import Verdict
from trunkline_router.protection.watched import Watched
from trunkline_shared.clock import Clock
from trunkline_shared.errors import CircuitOpen

log = logging.getLogger(__name__)

_PROBE_CAP_S = 60.0
_ELSEWHERE_S = 1.0
"""When to ask again after another router has taken the probe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakers:
    """Decides for each call whether its server is asked, and learns from how it went.

    `terms` are looked up when a failure comes, so that a new configuration holds at once.
    `servers` are all that there are now. `on_open` are told of each breaker that opens.
    `transitions` counts the changes of each server's state by the new one.
    """

    clock: Clock
    sharing: Sharing
    terms: Callable[[str], BreakerTerms]
    servers: Collection[str]
    on_open: list[Callable[[str], None]] = field(default_factory=list)
    transitions: dict[tuple[str, State], int] = field(default_factory=dict)
    _watched: dict[str, Watched] = field(default_factory=dict)

    def of(self, server: str) -> Watched:
        """Return a server's breaker; one that never failed has a closed one."""
        watched = self._watched.get(server)
        if watched is None:
            watched = self._watched[server] = Watched()
        return watched

    def check(self, server: str) -> None:
        """Raise CircuitOpen for a call that has its leave, if that has been taken back."""
        if self.of(server).breaker.state is State.OPEN:
            raise self.refusal(server)

    async def admit(self, call: Call) -> Permit:
        """Give leave for a call to a server whose breaker is not closed. Raises CircuitOpen.

        One call over all routers finds out; a router that cannot ask the others decides alone.
        """
        server, now = call.server, self.clock.monotonic()
        breaker = self.of(server).breaker
        if breaker.state is State.CLOSED:
            return breaker.permit
        if not breaker.may_probe(now):
            raise self.refusal(server)
        lasts_s = min(max(call.deadline - now, 0.0), _PROBE_CAP_S)
        with self._transition(server):
            permit = breaker.begin_probe(now + lasts_s)
        try:
            is_ours = await self.sharing.claim(_probe_key(server), lasts_s)
        except BaseException:
            self.abandon(server, permit)
            raise
        if not is_ours and breaker.permit.epoch == permit.epoch:
            with self._transition(server):
                breaker.open(now + _ELSEWHERE_S)
        self.check(server)
        breaker.probes += 1
        return permit

    def note(self, server: str, permit: Permit, verdict: Verdict) -> None:
        """Learn from how a call went."""
        watched = self.of(server)
        if verdict is Verdict.NOTHING:
            self.abandon(server, permit)
        elif verdict is Verdict.PASSED:
            was = watched.breaker.state
            with self._transition(server):
                changed = watched.breaker.passed(permit)
            if changed:
                self._tell(server, "passed" if was is State.CLOSED else "closed")
        else:
            self._failed(server, permit, Cause(verdict.value))
        if permit.probes and verdict is not Verdict.NOTHING:
            self.sharing.tell(Told(key=_probe_key(server)))

    def abandon(self, server: str, permit: Permit) -> None:
        """Note that a call told nothing; if it was to find out, the next one may."""
        if permit.probes:
            with self._transition(server):
                self.of(server).breaker.abandoned(permit)
            self.sharing.tell(Told(key=_probe_key(server)))

    def reset(self, server: str) -> None:
        """Close a server's breaker, here and everywhere."""
        with self._transition(server):
            self.of(server).breaker.close()
        self._tell(server, "closed")

    def forget(self, server: str) -> None:
        """Begin anew with a server that is another one now; calls of before tell nothing of it."""
        epoch = self.of(server).breaker.permit.epoch + 1
        self._watched[server] = Watched(breaker=Breaker(permit=Permit(epoch)))

    def is_cut_off(self, server: str) -> bool:
        """Say whether calls are kept away because the server could not be reached."""
        breaker = self.of(server).breaker
        return breaker.state is not State.CLOSED and breaker.cause is Cause.CONNECTION

    def refusal(self, server: str) -> CircuitOpen:
        """Return what a call gets in place of an answer."""
        return self.of(server).refusal(server, self.clock.monotonic())

    def keys(self) -> Iterable[str]:
        return [_key(server) for server in self.servers]

    def heard(self, news: BreakerNews | WindowNews) -> None:
        if not isinstance(news, BreakerNews) or news.server not in self.servers:
            return
        watched = self.of(news.server)
        if watched.knows(news):
            return
        if news.kind == "failed":
            watched.last_failure = max(watched.last_failure, news.last_failure)
            if watched.breaker.state is State.CLOSED:
                self._failed(news.server, watched.breaker.permit, Cause(news.cause), told=True)
        elif news.kind == "passed":
            watched.breaker.passed(watched.breaker.permit)
        else:
            self._adopt(news, news.left_s)

    def recalled(self, key: str, news: Sequence[BreakerNews | WindowNews]) -> None:
        server = key.removeprefix(_PREFIX)
        watched = self.of(server)
        for kept in news:
            if isinstance(kept, BreakerNews) and kept.at > watched.changed:
                watched.recalled = (kept.origin, kept.number)
                self._adopt(kept, min(kept.left_s, kept.at + kept.left_s - self.clock.now()))
                return
        if watched.breaker.failures:
            is_closed = watched.breaker.state is State.CLOSED
            self._tell(server, "failed" if is_closed else "opened")

    def _adopt(self, news: BreakerNews, left_s: float) -> None:
        """Stand as another router's breaker does."""
        watched, now = self.of(news.server), self.clock.monotonic()
        breaker, until = watched.breaker, now + max(left_s, 0.0)
        with self._transition(news.server):
            if news.kind == "opened":
                if breaker.state is State.OPEN:
                    until = max(until, breaker.reopens)
                breaker.open(until)
            else:
                breaker.close()
            breaker.failures = news.failures
            breaker.cause = Cause(news.cause)
        watched.last_failure = max(watched.last_failure, news.last_failure)
        watched.opened_at = news.opened_at
        watched.changed = news.at

    def _failed(self, server: str, permit: Permit, cause: Cause, *, told: bool = False) -> None:
        watched, now = self.of(server), self.clock.monotonic()
        with self._transition(server):
            if not watched.breaker.failed(permit, self.terms(server), cause, now):
                return
        watched.last_failure = self.clock.now()
        if watched.breaker.state is State.OPEN:
            watched.opened_at = self.clock.now()
            self._tell(server, "opened")
        elif not told:
            self._tell(server, "failed")

    @contextmanager
    def _transition(self, server: str) -> Iterator[None]:
        """Log a change of state, and tell whom it concerns here."""
        breaker = self.of(server).breaker
        before = breaker.state
        yield
        after = breaker.state
        if after is before:
            return
        self.transitions[server, after] = self.transitions.get((server, after), 0) + 1
        facts = {
            "server": server,
            "breaker": after.value,
            "was": before.value,
            "consecutive_failures": breaker.failures,
            "resets_in_s": round(breaker.left_s(self.clock.monotonic()), 1),
        }
        level = logging.WARNING if after is State.OPEN else logging.INFO
        log.log(level, "breaker of %s: %s -> %s", server, before.value, after.value, extra=facts)
        if after is State.OPEN:
            for tell in self.on_open:
                tell(server)

    def _tell(self, server: str, kind: Kind) -> None:
        watched = self.of(server)
        watched.changed = self.clock.now()
        left_s = watched.breaker.left_s(self.clock.monotonic())
        message = watched.news(server, kind, self.sharing.next(), left_s).model_dump_json().encode()
        ttl_s = 2 * self.terms(server).cooldown_s + _PROBE_CAP_S
        self.sharing.tell(Told(key=_key(server), record=message, ttl_s=ttl_s, message=message))


_PREFIX = "breaker:"


def _key(server: str) -> str:
    return f"{_PREFIX}{server}"


def _probe_key(server: str) -> str:
    return f"probe:{server}"
