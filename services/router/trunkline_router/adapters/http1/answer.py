"""What a server answers, as it comes."""

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Protocol

from trunkline_router.adapters.http1.failing import Cut, TooLarge
from trunkline_router.adapters.http1.unpacking import Unpacking

_HELD_BYTES = 256 * 1024
"""How much waits for its reader before the server has to; what is smaller is told of as a whole."""
_CRUMB_BYTES = 512
"""A piece that is smaller shares its room with its neighbours: on its own it would take many times
what is in it."""
_END_S = 1.0
"""How long the end of an answer may take to come that has said all it had to say."""
_OK = int(HTTPStatus.OK)
_DANGEROUS = str.maketrans("\r\n\0", "   ")
"""RFC 9110, section 5.5."""


class Carrier(Protocol):
    """The connection that an answer comes on."""

    def hold(self) -> None:
        """Let the server wait."""

    def go_on(self) -> None:
        """Let the server send."""

    def abort(self) -> None:
        """Close it in the middle of what it does."""


class Answer:
    """One answer; its reader leaves it, and whatever was not read to the end closes its connection.

    `status` is 0 before it is known.
    """

    __slots__ = (
        "_allowed",
        "_carrier",
        "_each",
        "_ending",
        "_failure",
        "_fields",
        "_held",
        "_left",
        "_on_hold",
        "_pieces",
        "_waiter",
        "complete",
        "status",
    )

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self._fields: dict[bytes, bytes] = {}
        self._pieces: list[bytes | bytearray] = []
        self._held = 0
        self._allowed = _HELD_BYTES
        self._each = False
        self._ending = False
        self._left: asyncio.TimerHandle | None = None
        self._on_hold = False
        self._failure: Cut | None = None
        self._waiter: asyncio.Future[None] | None = None
        self.status = 0
        self.complete = False

    def header(self, name: str) -> str:
        """Return the first header of a name, given in lower case; empty where there is none."""
        value = self._fields.get(name.encode(), b"").decode("utf-8", "surrogateescape")
        return value if value.isprintable() else value.translate(_DANGEROUS)

    async def begun(self) -> None:
        """Wait for the status and the headers. Raises Cut."""
        while not self.status:
            await self._news()
        if self._failure is not None:
            raise self._failure

    async def read(self, most: int) -> bytes:
        """Return the body. Raises TooLarge beyond `most` bytes, and Cut."""
        if b"content-encoding" in self._fields:
            return await self._unpacked(most)
        if not self.complete:
            await self._gathered(most)
        if self._held > most:
            raise TooLarge
        return self._taken()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes; the server waits for a slow reader. Raises Cut."""
        coding = self.header("content-encoding")
        if not coding or coding == "identity":
            async for piece in self._raw():
                yield piece
            return
        unpacking = Unpacking(coding)
        async for packed in self._raw():
            for piece in unpacking.feed(packed):
                yield piece
                # A few bytes may unpack to as many as a reader works on for minutes.
                await asyncio.sleep(0)
        unpacking.end()

    def has_ended(self) -> None:
        """Note that nothing is to come of it but its end, as of a stream that has had its answer.

        Its connection is then kept, if that end comes soon and alone.
        """
        self._ending = True

    def leave(self) -> None:
        """Read no more of it."""
        if self.complete:
            return
        if self._ending and self._failure is None and not self._on_hold:
            self._left = asyncio.get_running_loop().call_later(_END_S, self._carrier.abort)
        else:
            self._carrier.abort()

    def start(self, status: int, fields: dict[bytes, bytes], length: int | None) -> None:
        """Take the status and the headers, and how long the body will be, as far as that is known.

        What is short is not told of before its end: its reader is woken up once.
        """
        self.status = status
        self._fields = fields
        if status != _OK or length is None or length > _HELD_BYTES:
            self._wake()

    def take(self, piece: bytes) -> None:
        """Take a piece of the body."""
        if self._left is not None:
            self._carrier.abort()
            return
        if self._pieces and len(piece) < _CRUMB_BYTES:
            self._add(piece)
        else:
            self._pieces.append(piece)
        self._held += len(piece)
        if self._held > self._allowed and not self._on_hold:
            self._on_hold = True
            self._carrier.hold()
            self._wake()
        elif self._each:
            self._wake()

    def end(self) -> None:
        """Note that this was all."""
        self.complete = True
        self._settle()

    def fail(self, failure: Cut) -> None:
        """Note that no more will come."""
        self._failure = failure
        self._settle()

    def _add(self, crumb: bytes) -> None:
        last = self._pieces[-1]
        if isinstance(last, bytearray):
            last += crumb
        else:
            self._pieces.append(bytearray(crumb))

    async def _unpacked(self, most: int) -> bytes:
        whole = bytearray()
        async for piece in self.pieces():
            whole += piece
            if len(whole) > most:
                raise TooLarge
        return bytes(whole)

    async def _gathered(self, most: int) -> None:
        self._allowed = most
        self._let_go_on()
        while not self.complete and self._held <= most:
            await self._news()

    async def _raw(self) -> AsyncIterator[bytes]:
        self._each = True
        while True:
            if self._pieces:
                yield self._taken()
            elif self.complete:
                return
            else:
                await self._news()

    def _taken(self) -> bytes:
        # Of one piece this is the piece itself.
        whole = b"".join(self._pieces)
        self._pieces = []
        self._held = 0
        self._let_go_on()
        return whole

    def _let_go_on(self) -> None:
        if self._on_hold and self._held <= self._allowed:
            self._on_hold = False
            if not self.complete:
                self._carrier.go_on()

    async def _news(self) -> None:
        if self._failure is not None:
            raise self._failure
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter

    def _settle(self) -> None:
        if self._left is not None:
            self._left.cancel()
        self._wake()

    def _wake(self) -> None:
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)
