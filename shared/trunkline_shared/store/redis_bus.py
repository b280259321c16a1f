"""Messages through Redis' publish and subscribe."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from redis.asyncio.client import PubSub

from trunkline_shared.store.memory_bus import BACKLOG, messages
from trunkline_shared.store.redis_asking import RedisAsking
from trunkline_shared.store.redis_client import RedisClient
from trunkline_shared.store.redis_failures import FAILURES

PREFIX = "trunkline:1:bus:"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisBus:
    """Messages as the port says, for the whole mesh; `listening` opens a connection for each.

    A connection is lost when a ping after `ping_s` quiet seconds is not answered in as many.
    """

    client: RedisClient
    listening: RedisClient
    asking: RedisAsking
    ping_s: float = 5.0

    async def publish(self, topic: str, message: bytes) -> None:
        await self.asking.ask(lambda: self.client.publish(PREFIX + topic, message))

    @asynccontextmanager
    async def heard(self, *topics: str) -> AsyncIterator[AsyncIterator[bytes]]:
        """Hear what is published under the topics for the length of the block.

        Raises UpstreamUnavailable.
        """
        # A Cluster has to be known before anything is heard from it.
        await self.asking.ask(self.listening.initialize)
        pubsub = self.listening.pubsub(ignore_subscribe_messages=False)
        try:
            await self.asking.ask(lambda: _subscribed(pubsub, topics))
            queue: asyncio.Queue[bytes | None] = asyncio.Queue()
            async with asyncio.TaskGroup() as tasks:
                reading = tasks.create_task(_read(pubsub, queue, self.ping_s))
                try:
                    yield messages(queue)
                finally:
                    reading.cancel()
        finally:
            with suppress(*FAILURES):
                await pubsub.aclose()  # type: ignore[no-untyped-call]  # the library's own gap


async def _subscribed(pubsub: PubSub, topics: tuple[str, ...]) -> None:
    """Subscribe, and wait until Redis has confirmed every topic."""
    await pubsub.subscribe(*(PREFIX + topic for topic in topics))
    confirmed = 0
    while confirmed < len(topics):
        message = await pubsub.get_message(timeout=None)
        confirmed += message is not None and message["type"] == "subscribe"


async def _read(pubsub: PubSub, queue: "asyncio.Queue[bytes | None]", ping_s: float) -> None:
    """Pass messages on until the connection is lost or the listener has fallen behind."""
    try:
        while queue.qsize() < BACKLOG:
            message = await pubsub.get_message(timeout=ping_s)
            if message is None:
                # A connection that was cut without a word is found out by asking.
                await pubsub.ping()
                message = await pubsub.get_message(timeout=ping_s)
            if message is None:
                break
            if message["type"] == "message":
                queue.put_nowait(message["data"])
    except FAILURES:
        pass
    finally:
        queue.put_nowait(None)
