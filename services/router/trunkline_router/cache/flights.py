"""Reads that are underway: who asks the same on the same footing waits for the one answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from trunkline_router.cache.footing import Footing
from trunkline_router.model import Call, Channel, Outcome, Unheard
from trunkline_router.tracing import current


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """What a flight brought: the answer, and the tags that it turned out to depend on.

    Nobody but the one who began it may have an answer that is not `shared`.
    """

    outcome: Outcome
    tags: tuple[str, ...]
    shared: bool = True


class _UntilLeft:
    """The way back to the one who began a flight, which others need after that one has left."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    async def send(self, frame: bytes) -> None:
        try:
            await self._channel.send(frame)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            self._channel = Unheard()


def outliving(call: Call) -> Call:
    """Return a call that goes on when the client that it was made for has left."""
    request = call.request
    return replace(call, request=replace(request, channel=_UntilLeft(request.channel)))


@dataclass(slots=True, eq=False)
class Flight:
    """One read on its way; it is called off when nobody waits for it any more.

    `led_by` is the span of the request that began it.
    """

    footing: Footing
    task: "asyncio.Task[Landed | Exception]"
    led_by: tuple[int, int] | None = None
    waiting: int = 0

    async def landed(self) -> Landed:
        """Wait for the answer. Raises what the read raised."""
        self.waiting += 1
        try:
            landed = await asyncio.shield(self.task)
        finally:
            self.waiting -= 1
            if not self.waiting:
                self.task.cancel()
        if isinstance(landed, Exception):
            raise landed
        return landed


@dataclass(frozen=True, slots=True, kw_only=True)
class Flights:
    """The flights of this process, by key."""

    tasks: Callable[[], asyncio.TaskGroup]
    _by_key: dict[str, Flight] = field(default_factory=dict)

    def joined(self, key: str) -> Flight | None:
        """Return the flight that is underway, if there is one that somebody waits for."""
        flight = self._by_key.get(key)
        return flight if flight is not None and flight.waiting else None

    def begin(self, key: str, footing: Footing, read: Callable[[], Awaitable[Landed]]) -> Flight:
        """Begin a flight, which others can join under the key."""
        task = self.tasks().create_task(_fly(read))
        leader = current()
        flight = self._by_key[key] = Flight(footing, task, None if leader is None else leader.ids)
        task.add_done_callback(lambda _: self._end(key, flight))
        return flight

    def __len__(self) -> int:
        return len(self._by_key)

    def _end(self, key: str, flight: Flight) -> None:
        if self._by_key.get(key) is flight:
            del self._by_key[key]


async def _fly(read: Callable[[], Awaitable[Landed]]) -> Landed | Exception:
    try:
        return await read()
    except Exception as failure:  # noqa: BLE001 - it is raised where the flight is waited for
        return failure
