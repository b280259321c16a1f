"""The way out of a connection: what is written, and whether the client takes it."""

import asyncio


class Writing:
    """Writes at once; all who may wait, wait until most of it is taken."""

    __slots__ = ("_taken", "paused", "transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self.paused = False
        self._taken: asyncio.Event | None = None

    def pause(self) -> None:
        """Note that what is written waits in the router's memory."""
        self.paused = True
        # Not before: few connections ever need one, and there may be thousands.
        self._taken = asyncio.Event()

    def resume(self) -> None:
        """Note that it was taken, or that nobody ever will."""
        self.paused = False
        if self._taken is not None:
            self._taken.set()

    async def taken(self) -> None:
        """Wait while what is written is not taken."""
        while self.paused and self._taken is not None:
            await self._taken.wait()
