"""Several places of one server as one link: load over all of them, away from those that fail."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from yarl import URL

from trunkline_router.adapters.http1.client import Client
from trunkline_router.link import Link, NeverSent, Post, Reply
from trunkline_router.model import Json
from trunkline_shared.clock import Clock
from trunkline_shared.errors import NetworkError, UpstreamUnavailable

_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 30.0
_REMEMBERED = 1024


@dataclass(slots=True, kw_only=True, eq=False)
class Replica:
    """One place, and how it is doing; `back_at` is monotonic seconds.

    `client` has the connections that its link has for itself.
    """

    name: str
    link: Link
    client: Client | None = None
    in_flight: int = 0
    failures: int = 0
    back_at: float = float("-inf")

    def failed(self, now: float) -> None:
        """Leave it out for a while: longer each time."""
        pause = min(_PAUSE_S * 2 ** min(self.failures, 10), _LONGEST_PAUSE_S)
        self.failures += 1
        self.back_at = now + pause

    def answered(self) -> None:
        self.failures = 0
        self.back_at = float("-inf")

    async def close(self) -> None:
        """Let go of the link, and of connections that are its own."""
        await self.link.close()
        if self.client is not None:
            self.client.close()

    def to_json(self, now: float) -> Json:
        """Return how it is doing, for `/status`."""
        return {
            "url": self.name,
            "available": self.back_at <= now,
            "in_flight": self.in_flight,
            "retry_in_s": round(max(self.back_at - now, 0.0), 1),
        }


@dataclass(slots=True, kw_only=True)
class Replicas:
    """Sends each request to the replica with the fewest in flight, in turn where they are equal.

    What was never sent goes to the next one. What was sent and failed is asked of one other, if it
    may be repeated. `places` has at least one; it may be replaced at any time.
    """

    clock: Clock
    places: Sequence[Replica]
    _turn: int = 0
    _asking: "OrderedDict[bytes, Replica]" = field(default_factory=OrderedDict)

    @property
    def url(self) -> URL:
        return self.places[0].link.url

    async def perform(self, post: Post) -> Reply:
        left = list(self.places)
        while True:
            replica = self._next(post, left)
            left.remove(replica)
            try:
                return await self._through(replica, post)
            except NeverSent:
                if not left:
                    raise
            except (NetworkError, UpstreamUnavailable):
                if not left or not post.repeatable:
                    raise
                return await self._through(self._next(post, left), post)

    def abandon(self, state: str) -> None:
        for replica in self.places:
            replica.link.abandon(state)

    async def close(self) -> None:
        for replica in self.places:
            await replica.close()

    def to_json(self) -> Sequence[Json]:
        """Return how each replica is doing, for `/status`."""
        now = self.clock.monotonic()
        return [replica.to_json(now) for replica in self.places]

    def _next(self, post: Post, left: Sequence[Replica]) -> Replica:
        """Choose among those not tried yet; one that is to be left out serves when all are."""
        asking = self._asking.get(_mark_of(post.params.get("requestState")))
        if asking is not None and asking in left:
            # What this answers was asked by one replica, which may wait for it.
            return asking
        now = self.clock.monotonic()
        self._turn += 1
        start = self._turn % len(left)
        in_turn = [*left[start:], *left[:start]]
        well = [replica for replica in in_turn if replica.back_at <= now]
        if well:
            return min(well, key=lambda replica: replica.in_flight)
        return min(in_turn, key=lambda replica: replica.back_at)

    async def _through(self, replica: Replica, post: Post) -> Reply:
        replica.in_flight += 1
        try:
            reply = await replica.link.perform(post)
        except (NeverSent, NetworkError, UpstreamUnavailable):
            replica.failed(self.clock.monotonic())
            raise
        finally:
            replica.in_flight -= 1
        replica.answered()
        if reply.result is not None and "requestState" in reply.result:
            self._remember(_mark_of(reply.result["requestState"]), replica)
        return reply

    def _remember(self, mark: bytes, replica: Replica) -> None:
        self._asking[mark] = replica
        if len(self._asking) > _REMEMBERED:
            self._asking.popitem(last=False)


def _mark_of(state: object) -> bytes:
    """Return what a `requestState` is known by: one may hold a whole conversation."""
    return hashlib.sha256(str(state).encode(errors="replace")).digest()
