"""The answer's way back to the client: plain JSON, or a stream once there is something to tell."""

import asyncio

from aiohttp import web

from trunkline_router.answer import Answer

_STREAM_HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}


class ClientChannel:
    """Begins a stream with the first frame; without one, the answer is a single JSON object.

    Frames for a client that takes no streams are dropped. A client that has left ends the call.
    """

    def __init__(self, http: web.BaseRequest, *, streams: bool) -> None:
        self._http = http
        self._streams = streams
        self._response: web.StreamResponse | None = None

    async def send(self, frame: bytes) -> None:
        if not self._streams:
            return
        try:
            if self._response is None:
                response = web.StreamResponse(headers=_STREAM_HEADERS)
                await response.prepare(self._http)
                self._response = response
            await self._response.write(frame)
        except ConnectionError:
            raise asyncio.CancelledError from None

    async def finish(self, answer: Answer) -> web.StreamResponse:
        """Send the answer in the form that has been begun."""
        if self._response is None:
            return json_response(answer)
        try:
            await self._response.write(answer.to_event())
            await self._response.write_eof()
        except ConnectionError:
            raise asyncio.CancelledError from None
        return self._response


def json_response(answer: Answer) -> web.Response:
    """Return an answer as one JSON object."""
    return web.Response(
        body=answer.to_bytes(), status=answer.status, headers={"Content-Type": "application/json"}
    )
