"""An issuer's keys as they are known here: fetched when wanted, and not too often."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from trunkline_router.identity.key_set import KeySet, PublicKey
from trunkline_shared.clock import Clock

log = logging.getLogger(__name__)


class IssuerAway(Exception):
    """The issuer's keys cannot be had; the text says why, and holds no secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPace:
    """How often keys are fetched; seconds.

    `fresh_s` is how long they are taken for all there are, `unknown_s` the least time between two
    looks for a key that is not among them, `retry_s` the same while none are known.
    """

    fresh_s: float = 600.0
    unknown_s: float = 30.0
    retry_s: float = 2.0
    patience_s: float = 12.0


class KeyKeeper:
    """Keeps the last keys that could be had; `run` fetches them, one fetch at a time.

    Who asks waits only where no key fits yet: a slow issuer costs nobody whose key is known.
    """

    def __init__(
        self, fetch: Callable[[], Awaitable[KeySet]], clock: Clock, pace: KeyPace | None = None
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._pace = pace or KeyPace()
        self._set = KeySet()
        self._trouble = ""
        self._tried = self._fetched = -math.inf
        self._wanted = asyncio.Event()
        self._flight: asyncio.Event | None = None

    async def matching(self, id_: str | None, algorithm: str) -> tuple[PublicKey, ...]:
        """Return the keys that may have signed such a token.

        Raises IssuerAway where none fits and the issuer could not be asked.
        """
        found = self._set.matching(id_, algorithm)
        now = self._clock.monotonic()
        if now - (self._fetched if found else -math.inf) > self._pace.fresh_s:
            self._want(now)
        if not found and self._flight is not None:
            await self._landed(self._flight)
            found = self._set.matching(id_, algorithm)
        if not found and self._trouble:
            raise IssuerAway(self._trouble)
        return found

    async def run(self) -> None:
        """Fetch whenever keys are wanted, and once at the start; until cancelled."""
        self._want(self._clock.monotonic())
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                self._set = await self._fetch()
                self._fetched = self._clock.monotonic()
                self._trouble = ""
            except IssuerAway as trouble:
                self._trouble = str(trouble)
                log.warning("the keys of the authorization server cannot be had: %s", trouble)
            finally:
                flight, self._flight = self._flight, None
                if flight is not None:
                    flight.set()

    def _want(self, now: float) -> None:
        pause = self._pace.unknown_s if self._set.keys else self._pace.retry_s
        if self._flight is None and now - self._tried >= pause:
            self._tried = now
            self._flight = asyncio.Event()
            self._wanted.set()

    async def _landed(self, flight: asyncio.Event) -> None:
        try:
            async with asyncio.timeout(self._pace.patience_s):
                await flight.wait()
        except TimeoutError:
            raise IssuerAway("it takes too long to answer") from None
