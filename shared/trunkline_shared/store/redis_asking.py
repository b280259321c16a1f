"""One question to Redis: bounded in time, asked again over a fresh connection, told of as away."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from redis.exceptions import ConnectionError as Disconnected

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.obeying import obeying
from trunkline_shared.store.outage import PAUSE_S, Outage
from trunkline_shared.store.record_failures import store_away
from trunkline_shared.store.redis_failures import FAILURES
from trunkline_shared.store.shared_turns import TIMEOUT_S

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisAsking:
    """Asks a Redis that may be away."""

    outage: Outage

    async def ask(self, command: Callable[[], Awaitable[T]], *, always: bool = False) -> T:
        """Return what Redis answers within a second. Raises UpstreamUnavailable.

        After a failure it is left alone for a while, `always` excepted.
        """
        if not always and not self.outage.worth_asking():
            raise self.away()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                with obeying():
                    answer = await _twice(command)
        except FAILURES as error:
            self.outage.failed(error)
            raise self.away() from None
        self.outage.passed()
        return answer

    def away(self) -> UpstreamUnavailable:
        """Return what is raised for a store that cannot be used."""
        return store_away(self.outage.where, PAUSE_S)


async def _twice(command: Callable[[], Awaitable[T]]) -> T:
    """Ask again when a connection was lost: it may have been idle since before a restart."""
    try:
        return await command()
    except Disconnected:
        return await command()
