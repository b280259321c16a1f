"""A client's connection as long as what comes on it is plain; aiohttp has it from then on."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import cast

from aiohttp import web
from aiohttp.tcp_helpers import tcp_keepalive, tcp_nodelay

from trunkline_router.edges.http1.plain_request import PlainRequest
from trunkline_router.edges.http1.reading import MOST_WAITING, read_on
from trunkline_router.edges.http1.writing import Writing
from trunkline_router.wire.answer import Answer, refused
from trunkline_router.wire.channel import json_response
from trunkline_router.wire.http_head import END, head_of, json_head
from trunkline_router.wire.http_request import HttpRequest, Reply
from trunkline_router.wire.plain_head import PlainHead, plain_head
from trunkline_router.wire.refusal import Refused

log = logging.getLogger(__name__)

IDLE_S = 75.0
"""How long a connection may be kept without a request."""
_LINGERING_S = 10.0
"""How long the rest of a body is read that nobody wants any more, so that the answer is."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Serving:
    """What connections share.

    `answer` takes a request, its path and the server of that; `is_ending` says that each answer is
    the last on its connection. `others` makes the protocol of those that are not plain.
    """

    answer: Callable[[HttpRequest, str, str | None], Awaitable[Reply]]
    is_ending: Callable[[], bool]
    others: Callable[[], asyncio.Protocol]
    open: "set[Connection]" = field(default_factory=set)


class Connection(asyncio.Protocol):
    """Answers one request after the other, in the order in which they come."""

    __slots__ = (
        "_behind",
        "_head",
        "_idle",
        "_idle_since",
        "_loop",
        "_owed",
        "_request",
        "_serving",
        "_task",
        "_transport",
        "_unread",
        "_writing",
    )
    _transport: asyncio.Transport
    _writing: Writing
    _idle: asyncio.TimerHandle

    def __init__(self, serving: Serving, loop: asyncio.AbstractEventLoop) -> None:
        self._serving = serving
        self._loop = loop
        self._head: PlainHead | None = None
        self._request: PlainRequest | None = None
        self._task: asyncio.Task[None] | None = None
        self._behind = b""
        self._owed = self._unread = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        way = cast("asyncio.Transport", transport)
        tcp_keepalive(way)
        tcp_nodelay(way, value=True)
        self._transport, self._writing = way, Writing(way)
        self._serving.open.add(self)
        self._idle_since = self._loop.time()
        self._idle = self._loop.call_later(IDLE_S, self._end_idle)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the overridden signature
        self._leave()
        self._writing.resume()
        if self._task is not None:
            self._task.cancel()

    def pause_writing(self) -> None:
        self._writing.pause()

    def resume_writing(self) -> None:
        self._writing.resume()
        self._go_on()

    def data_received(self, data: bytes) -> None:
        if self._request is None and not self._owed and not self._writing.paused:
            self._take(self._behind + data if self._behind else data)
            return
        request = self._request
        if request is not None and request.missing:
            data = request.more(data)
        elif self._owed:
            self._owed -= len(data)
            if self._owed <= 0:
                self._transport.close()
            return
        self._behind += data
        if len(self._behind) > MOST_WAITING:
            self._transport.pause_reading()
        self._go_on()

    def close(self) -> None:
        """Take no more requests; what is in hand is answered."""
        if self._request is None:
            self._transport.close()

    async def shutdown(self, timeout_s: float) -> None:
        """End within twice that time, what is in hand included."""
        task = self._task
        if task is not None:
            await asyncio.wait({task}, timeout=timeout_s)
            task.cancel()
            await asyncio.wait({task}, timeout=timeout_s)
        self._transport.close()

    def _take(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        read = self._read(data)
        if read is None:
            self._hand_over(data)
            return
        head, begin, end = read
        self._head = head
        self._behind = data[end:]
        if len(self._behind) > MOST_WAITING:
            self._transport.pause_reading()
        request = PlainRequest(
            head, end - begin, data[begin:end], self._writing, self._serving.is_ending
        )
        self._request = request
        task = _started(self._answered(request), self._loop)
        self._task = None if task.done() else task

    def _read(self, data: bytes) -> tuple[PlainHead, int, int] | None:
        """Return what `plain_head` does; most requests have the head of the one before."""
        place = None if self._head is None else self._head.again(data)
        if self._head is None or place is None:
            return plain_head(data)
        return self._head, *place

    async def _answered(self, request: PlainRequest) -> None:
        head = request.head
        try:
            reply = await self._serving.answer(request, head.path, head.scope)
            self._write(reply, last=self._serving.is_ending() or request.missing > 0)
        except Exception:
            # Unless a stream has begun: that breaks off.
            log.exception("unexpected failure in the HTTP server")
            self._fail(request)
        except BaseException:
            self._transport.close()
            raise
        finally:
            self._task = self._request = None
            self._idle_since = self._loop.time()
            if request.missing:
                self._owed = request.missing
                read_on(self._transport)
                self._loop.call_later(_LINGERING_S, self._transport.close)
            elif self._serving.is_ending():
                self._transport.close()
            elif self._behind:
                # Not at once: whoever sends a thousand at a time is not to nest them.
                self._loop.call_soon(self._go_on)

    def _write(self, reply: Reply, *, last: bool) -> None:
        if isinstance(reply, Answer):
            pieces = reply.pieces or (reply.to_bytes(),)
            head = json_head(sum(map(len, pieces)), last=last)
            self._transport.write(b"".join((head, *pieces)))
        elif isinstance(reply, web.Response):
            self._transport.write(_written(reply, last=last))
        else:
            self._transport.write(END)

    def _fail(self, request: PlainRequest) -> None:
        failed = Refused(-32603, "The router failed unexpectedly.", status=500)
        if not self._transport.is_closing() and not request.begun:
            self._transport.write(_written(json_response(refused(None, failed)), last=True))
        self._transport.close()

    def _go_on(self) -> None:
        """Take what has waited, once what was before it is answered, and that is taken."""
        busy = self._request is not None or self._owed or self._writing.paused
        if busy or not self._behind or self._transport.is_closing():
            return
        waiting, self._behind = self._behind, b""
        self._take(waiting)
        # Not once it is aiohttp's, which may have reasons of its own to wait.
        if len(self._behind) <= MOST_WAITING and self in self._serving.open:
            read_on(self._transport)

    def _hand_over(self, data: bytes) -> None:
        """Let aiohttp have the connection, from the beginning of a request on."""
        self._leave()
        read_on(self._transport)
        other = self._serving.others()
        self._transport.set_protocol(other)
        other.connection_made(self._transport)
        other.data_received(data)

    def _leave(self) -> None:
        self._idle.cancel()
        self._serving.open.discard(self)

    def _end_idle(self) -> None:
        left_s = IDLE_S
        if self._request is None:
            left_s = self._idle_since + IDLE_S - self._loop.time()
        unread = self._transport.get_write_buffer_size()
        if left_s <= 0 and 0 < unread != self._unread:
            # The last answer is being taken, however slowly.
            self._unread, left_s = unread, IDLE_S
        if left_s > 0:
            self._idle = self._loop.call_later(left_s, self._end_idle)
        else:
            # Not closed: that would wait for whoever takes nothing.
            self._transport.abort()


def _started(
    work: Coroutine[None, None, None], loop: asyncio.AbstractEventLoop
) -> "asyncio.Task[None]":
    """Begin at once where Python can: most answers need nothing to be waited for."""
    if sys.version_info >= (3, 12):
        return asyncio.Task(work, loop=loop, eager_start=True)
    return loop.create_task(work)


def _written(response: web.Response, *, last: bool) -> bytes:
    body = response.body or b""
    assert isinstance(body, bytes)
    length = ("Content-Length", str(len(body)))
    return head_of(response.status, (*response.headers.items(), length), last=last) + body
