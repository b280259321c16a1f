"""Messages within one process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

BACKLOG = 1000


@dataclass(slots=True, kw_only=True)
class MemoryBus:
    """Messages as the port says, for everything in this process."""

    _listeners: dict[str, set["asyncio.Queue[bytes | None]"]] = field(default_factory=dict)

    async def publish(self, topic: str, message: bytes) -> None:
        for queue in tuple(self._listeners.get(topic, ())):
            if queue.qsize() < BACKLOG:
                queue.put_nowait(message)
            else:
                self._leave(queue)
                queue.put_nowait(None)

    @asynccontextmanager
    async def heard(self, *topics: str) -> AsyncIterator[AsyncIterator[bytes]]:
        """Hear what is published under the topics for the length of the block."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        for topic in topics:
            self._listeners.setdefault(topic, set()).add(queue)
        try:
            yield messages(queue)
        finally:
            self._leave(queue)

    def _leave(self, queue: "asyncio.Queue[bytes | None]") -> None:
        for topic in [topic for topic, heard in self._listeners.items() if queue in heard]:
            self._listeners[topic].discard(queue)
            if not self._listeners[topic]:
                del self._listeners[topic]


async def messages(queue: "asyncio.Queue[bytes | None]") -> AsyncIterator[bytes]:
    """Yield what comes out of a queue until None does."""
    while (message := await queue.get()) is not None:
        yield message
