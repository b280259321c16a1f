"""An answer as it comes in: its bytes are kept, and the progress that it tells of is told on."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import orjson

from trunkline_shared.exchange import Response
from trunkline_shared.http.client import HttpClient
from trunkline_shared.http.outgoing import Outgoing
from trunkline_shared.mesh.answers import Json, is_object
from trunkline_shared.mesh.event_stream import EventStream
from trunkline_shared.together import together

PROGRESS = "notifications/progress"

Told = Callable[[float, float | None, str], Awaitable[None]]
"""Hears how far a request has come: the progress, the total where it is known, and a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """Has somebody hear of one request's progress, in its order and before its answer."""

    told: Told
    _kept: bytearray = field(default_factory=bytearray)
    _events: EventStream = field(default_factory=EventStream)
    _news: "asyncio.Queue[Json | None]" = field(default_factory=asyncio.Queue)

    async def of(self, http: HttpClient, request: Outgoing) -> Response:
        """Exchange a request; what `told` raises ends it. Raises what `HttpClient.send` does."""
        async with together() as tasks:
            tasks.create_task(self._tell())
            response = await http.send(request, into=self._take)
            self._news.put_nowait(None)
        return replace(response, body=response.body or bytes(self._kept))

    def _take(self, chunk: bytes) -> bool:
        self._kept.extend(chunk)
        for event in self._events.feed(chunk):
            if b"progress" in event and (news := _progress(event)) is not None:
                self._news.put_nowait(news)
        return True

    async def _tell(self) -> None:
        while (news := await self._news.get()) is not None:
            total = news.get("total")
            await self.told(
                _number(news.get("progress")),
                None if total is None else _number(total),
                str(news.get("message") or ""),
            )


def _progress(event: bytes) -> Json | None:
    try:
        message = orjson.loads(event)
    except orjson.JSONDecodeError:
        return None
    if not is_object(message) or message.get("method") != PROGRESS:
        return None
    params = message.get("params")
    return params if is_object(params) else None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
