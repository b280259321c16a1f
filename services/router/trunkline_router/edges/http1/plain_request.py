"""A plain request in hand: what has come of its body, and the ways to answer it."""

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from trunkline_router.edges.http1.plain_stream import PlainStream
from trunkline_router.edges.http1.reading import MOST_WAITING, read_on
from trunkline_router.edges.http1.writing import Writing
from trunkline_router.model import Caller, Limits
from trunkline_router.wire.body import too_large, too_late
from trunkline_router.wire.channel import EventStream
from trunkline_router.wire.plain_head import PlainHead

Fact = TypeVar("Fact")


class PlainRequest:
    """One request; `missing` is how many bytes of its body have not come yet."""

    __slots__ = (
        "_arrived",
        "_data",
        "_is_last",
        "_length",
        "_stream",
        "_writing",
        "caller",
        "head",
        "headers",
        "method",
        "missing",
        "query",
    )

    def __init__(
        self,
        head: PlainHead,
        length: int,
        data: bytes,
        writing: Writing,
        is_last: Callable[[], bool],
    ) -> None:
        self.method = "POST"
        self.head = head
        self.headers: Mapping[str, str] = head.headers
        self.query = head.query
        self.caller: Caller | None = None
        self.missing = length - len(data)
        self._length = length
        self._data: bytes | bytearray = data
        self._writing = writing
        self._is_last = is_last
        self._arrived: asyncio.Event | None = None
        self._stream: PlainStream | None = None

    def fact(self, name: str, of: Callable[[Mapping[str, str]], Fact]) -> Fact:
        facts = self.head.facts
        if name in facts:
            return cast("Fact", facts[name])
        found = facts[name] = of(self.headers)
        return found

    def more(self, data: bytes) -> bytes:
        """Take what came, and return what follows the body."""
        mine, rest = data[: self.missing], data[self.missing :]
        self.missing -= len(mine)
        if isinstance(self._data, bytes):
            self._data = bytearray(self._data)
        self._data += mine
        if self._arrived is None:
            # Who sends it may not be known yet.
            if self.missing and len(self._data) > MOST_WAITING:
                self._writing.transport.pause_reading()
        elif not self.missing:
            self._arrived.set()
        return rest

    async def body(self, limits: Limits) -> bytes:
        if self._length > limits.body_bytes:
            raise too_large(limits)
        if self.missing:
            self.caller = None
            self._arrived = asyncio.Event()
            read_on(self._writing.transport)
            try:
                async with asyncio.timeout(limits.body_s):
                    await self._arrived.wait()
            except TimeoutError:
                raise too_late(limits) from None
        data, self._data = self._data, b""
        return bytes(data)

    def events(self, stall_s: float) -> EventStream:
        self._stream = PlainStream(self._writing, self._is_last, stall_s=stall_s)
        return self._stream

    @property
    def begun(self) -> bool:
        """Whether the client has the beginning of an answer."""
        return self._stream is not None and self._stream.response is not None
