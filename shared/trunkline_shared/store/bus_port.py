"""What is asked of a store: messages to whoever listens now, over the whole mesh."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Protocol


class Bus(Protocol):
    """Messages under a topic; who does not listen at that moment never hears them.

    `publish` raises UpstreamUnavailable when the store cannot be used. Once the block of `heard`
    has begun every message is heard that is published after, in order, unless the connection is
    lost: then the iterator ends, and whoever listens begins anew. A listener that falls behind by
    more than a thousand messages is cut off in the same way.
    """

    async def publish(self, topic: str, message: bytes) -> None: ...

    def heard(self, *topics: str) -> AbstractAsyncContextManager[AsyncIterator[bytes]]: ...
