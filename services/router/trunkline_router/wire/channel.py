"""The answer's way back to the client: plain JSON, or a stream once there is something to tell."""

import asyncio
from http import HTTPStatus

from aiohttp import web

from trunkline_router.wire import challenge, lean_response
from trunkline_router.wire.answer import Answer
from trunkline_router.wire.lean_response import LeanResponse

_CHALLENGED = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_STREAM_HEADERS = {
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
                    response = web.StreamResponse(headers=_STREAM_HEADERS)
                    await response.prepare(self.http)
                    self.response = response
                if frame:
                    await self.response.write(frame)
        except (ConnectionError, TimeoutError):
            if self.http.transport is not None:
                self.http.transport.abort()
            raise asyncio.CancelledError from None


class ClientChannel(EventStream):
    """Begins a stream with the first frame; without one, the answer is a single JSON object.

    Frames for a client that takes no streams are dropped.
    """

    def __init__(self, http: web.BaseRequest, *, streams: bool, stall_s: float) -> None:
        super().__init__(http, stall_s=stall_s)
        self._streams = streams

    async def send(self, frame: bytes) -> None:
        if self._streams:
            await self.write(frame)

    async def finish(self, answer: Answer) -> web.StreamResponse:
        """Send the answer in the form that has been begun."""
        if self.response is None:
            return response_to(self.http, answer)
        await self.write(answer.to_event())
        return self.response


def response_to(http: web.BaseRequest, answer: Answer) -> web.StreamResponse:
    """Return an answer as one JSON object, in the cheapest form that its client takes."""
    if answer.status == HTTPStatus.OK and lean_response.fits(http):
        return LeanResponse(answer.pieces or (answer.to_bytes(),))
    return json_response(answer)


def json_response(answer: Answer) -> web.Response:
    """Return an answer as one JSON object; a refused caller hears what is asked for."""
    headers = {"Content-Type": "application/json"}
    if answer.status in _CHALLENGED:
        told = challenge.challenge_of(answer.error)
        if told is not None:
            headers[challenge.HEADER] = told
    return web.Response(body=answer.to_bytes(), status=answer.status, headers=headers)
