"""The answer's way back to the client: plain JSON, or a stream once there is something to tell."""

from trunkline_router.wire.answer import Answer
from trunkline_router.wire.channel import EventStream
from trunkline_router.wire.http_request import HttpRequest, Reply


class ClientChannel:
    """Begins a stream with the first frame; without one, the answer is a single JSON object.

    Frames for a client that takes no streams are dropped.
    """

    __slots__ = ("_http", "_stall_s", "_stream", "_streams")

    def __init__(self, http: HttpRequest, *, streams: bool, stall_s: float) -> None:
        self._http = http
        self._streams = streams
        self._stall_s = stall_s
        self._stream: EventStream | None = None

    async def send(self, frame: bytes) -> None:
        if not self._streams:
            return
        if self._stream is None:
            self._stream = self._http.events(self._stall_s)
        await self._stream.write(frame)

    async def finish(self, answer: Answer) -> Reply:
        """Send the answer in the form that has been begun."""
        if self._stream is None:
            return answer
        await self._stream.write(answer.to_event())
        assert self._stream.response is not None
        return self._stream.response
