"""What aiohttp answers to a client: plain JSON, or a stream of events."""

import asyncio
from http import HTTPStatus

from aiohttp import web

from trunkline_router.wire import challenge
from trunkline_router.wire.answer import Answer

_CHALLENGED = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
STREAM_HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}


class EventStream:
    """An event stream to a client, begun with its first bytes.

    A client that has left, or does not read for `stall_s` seconds, ends whoever writes.
    """

    def __init__(self, http: web.BaseRequest, *, stall_s: float) -> None:
        self.http = http
        self._stall_s = stall_s
        self.response: web.StreamResponse | None = None

    async def write(self, frame: bytes) -> None:
        """Send bytes. Raises CancelledError when nobody takes them."""
        try:
            async with asyncio.timeout(self._stall_s):
                if self.response is None:
                    response = web.StreamResponse(headers=STREAM_HEADERS)
                    await response.prepare(self.http)
                    self.response = response
                if frame:
                    await self.response.write(frame)
        except (ConnectionError, TimeoutError):
            if self.http.transport is not None:
                self.http.transport.abort()
            raise asyncio.CancelledError from None


def json_response(answer: Answer) -> web.Response:
    """Return an answer as one JSON object; a refused caller hears what is asked for."""
    headers = {"Content-Type": "application/json"}
    if answer.status in _CHALLENGED:
        told = challenge.challenge_of(answer.error)
        if told is not None:
            headers[challenge.HEADER] = told
    return web.Response(body=answer.to_bytes(), status=answer.status, headers=headers)
