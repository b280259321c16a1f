"""What happens in other workers, told to whoever watches this one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import orjson

from trunkline_router.edges.siblings import Siblings
from trunkline_router.gathering.pages import status
from trunkline_router.model import Json
from trunkline_router.telemetry.listener import Listener
from trunkline_router.wire.event import KEEP_ALIVE, data_of

_PATH: Final = "/api/events"
_STATE: Final = b"event: state\n"


@dataclass(slots=True)
class Heard:
    """How other workers stand, as each has told last."""

    states: dict[int, Json] = field(default_factory=dict)

    def with_own(self, own: Json) -> Json:
        """Return how the router stands."""
        return status([own, *self.states.values()])


@dataclass(frozen=True, slots=True)
class Others:
    """Listens to other workers for as long as somebody watches."""

    siblings: Siblings

    @asynccontextmanager
    async def heard_by(self, listener: Listener) -> AsyncIterator[Heard]:
        """Let a listener have the calls of others for the length of the block."""
        heard = Heard()
        async with asyncio.TaskGroup() as tasks:
            following = [
                tasks.create_task(self._follow(number, listener, heard))
                for number in self.siblings.others
            ]
            try:
                yield heard
            finally:
                for one in following:
                    one.cancel()

    async def _follow(self, number: int, listener: Listener, heard: Heard) -> None:
        async for frame in self.siblings.follow(number, _PATH):
            if frame.startswith(_STATE):
                heard.states[number] = orjson.loads(data_of(frame))
            elif frame != KEEP_ALIVE:
                listener.call(frame)
