"""Requests in hand, counted, so that a server's end can wait for the last of them."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trunkline_shared.departure import Departure

_CLOSE = (b"connection", b"close")


@dataclass(frozen=True, slots=True, kw_only=True)
class InHand:
    """An ASGI application in front of another one, that knows what it has in hand.

    Once the server is to end, each answer is the last one on its connection. A GET of one of
    `streams` stands open until its client leaves, or until streams are ended.
    """

    app: ASGIApp
    departure: Departure
    streams: Sequence[str] = ()
    _requests: set[object] = field(default_factory=set)
    _idle: asyncio.Event = field(default_factory=asyncio.Event)
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = object()
        self._requests.add(request)
        try:
            await self._answer(scope, receive, self._parting(send))
        finally:
            self._requests.discard(request)
            if not self._requests:
                self._idle.set()

    async def idle(self) -> None:
        """Wait until nothing is in hand."""
        while self._requests:
            self._idle.clear()
            await self._idle.wait()

    def end_streams(self) -> None:
        """End what stands open, each with its last chunk, and whatever is opened from now on."""
        self._ended.set()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "GET" and scope["path"] in self.streams:
            await self._stand(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _stand(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a stream; to the application its end is as if the client had left."""
        whole = _Whole(send)

        async def received() -> Message:
            return await receive()

        async def receive_or_end() -> Message:
            async with asyncio.TaskGroup() as tasks:
                message = tasks.create_task(received())
                end = tasks.create_task(self._ended.wait())
                await asyncio.wait({message, end}, return_when=asyncio.FIRST_COMPLETED)
                message.cancel()
                end.cancel()
            return {"type": "http.disconnect"} if message.cancelled() else message.result()

        await self.app(scope, receive_or_end, whole)
        if self._ended.is_set():
            await whole.finish()

    def _parting(self, send: Send) -> Send:
        async def parting(message: Message) -> None:
            if message["type"] == "http.response.start" and self.departure.begun:
                message = {**message, "headers": [*message.get("headers", ()), _CLOSE]}
            await send(message)

        return parting


@dataclass(slots=True)
class _Whole:
    """Passes one answer on, and can complete it when it was broken off."""

    send: Send
    begun: bool = False
    complete: bool = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if self.begun:
                # The SDK's HTTP+SSE answers once more when the client of a stream has left.
                await self.finish()
            self.begun = True
        if self.complete:
            return
        self.complete = message["type"] == "http.response.body" and not message.get("more_body")
        await self.send(message)

    async def finish(self) -> None:
        """Send the last chunk, unless it has been."""
        if self.begun and not self.complete:
            with suppress(OSError):
                await self({"type": "http.response.body", "body": b"", "more_body": False})
