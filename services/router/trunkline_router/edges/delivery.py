"""Ways to a legacy client: one JSON answer, or an event stream that can be taken up again."""

import asyncio
from dataclasses import dataclass
from http import HTTPStatus

from aiohttp import web

from trunkline_router.sessions.event_log import EventLog
from trunkline_router.sessions.kept_streams import event_id
from trunkline_router.sessions.posted import Posted
from trunkline_router.wire.channel import EventStream
from trunkline_router.wire.event import KEEP_ALIVE, KEEP_ALIVE_S, event_of
from trunkline_router.wire.http_request import Reply

_RETRY_MS = 1000
_QUIET_S = 1.0
"""How long an answer may take before a stream begins, which can be resumed if it breaks."""


PRIMED_SINCE = "2025-11-25"
"""The revision whose clients know an event without a message (SEP-1699)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a POST is answered: as a batch, with ids of events, with one to begin with."""

    batch: bool
    ids: bool
    primed: bool


async def deliver(stream: EventStream, posted: Posted, form: Form) -> Reply:
    """Send what a POST comes to, as it comes.

    Spec 2025-11-25, "Sending Messages to the Server".
    """
    await _begun_or_done(posted)
    if not posted.begun:
        return await _at_once(stream, posted, batch=form.batch)
    await stream.write(priming(posted.log.name) if form.primed else b"")
    return await followed(stream, posted.log, 0, ids=form.ids)


async def followed(
    stream: EventStream, log: EventLog, seen: int, *, ids: bool = True
) -> web.StreamResponse:
    """Write what follows number `seen`, to its end."""
    await stream.write(b"")
    while True:
        for number, data in log.after(seen):
            head = b"id: " + event_id(log.name, number) + b"\n" if ids else b""
            await stream.write(event_of(data, head=head))
            seen = number
        if log.ended and log.last <= seen:
            assert stream.response is not None
            return stream.response
        try:
            async with asyncio.timeout(KEEP_ALIVE_S):
                await log.news(seen)
        except TimeoutError:
            await stream.write(KEEP_ALIVE)


def priming(name: str) -> bytes:
    """Return the event without a message that gives a client an id to resume from."""
    return b"id: " + event_id(name, 0) + b"\nretry: %d\ndata: \n\n" % _RETRY_MS


async def _begun_or_done(posted: Posted) -> None:
    if not posted.streams:
        await posted.ready.wait()
        return
    begins = asyncio.get_running_loop().call_later(_QUIET_S, posted.begin)
    try:
        await posted.ready.wait()
    finally:
        begins.cancel()


async def _at_once(stream: EventStream, posted: Posted, *, batch: bool) -> Reply:
    answers = [answer for answer in posted.answers if answer is not None]
    if answers and not batch:
        return answers[0]
    refused = next((one for one in answers if one.status in _FOR_ALL), None)
    if refused is not None:
        return refused
    if answers:
        whole = b"[%b]" % b",".join(answer.to_bytes() for answer in answers)
        return web.Response(body=whole, content_type="application/json")
    if batch or not posted.streams:
        return web.Response(status=202)
    # A cancelled request is not answered: its stream ends.
    return await followed(stream, posted.log, 0)


_FOR_ALL = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND})
