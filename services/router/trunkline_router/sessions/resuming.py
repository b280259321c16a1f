"""Streams that broke, read on from where they broke: here, or from the replica that has them."""

import asyncio
import secrets
from contextlib import suppress
from dataclasses import dataclass, field

import orjson
from mcp_types.jsonrpc import INTERNAL_ERROR

from trunkline_router.model import Json
from trunkline_router.sessions.background import Background
from trunkline_router.sessions.event_log import EventLog
from trunkline_router.sessions.kept_streams import KeptStreams, Place
from trunkline_router.sessions.replica import Replica

_WAIT_S = 2.0
_RESUME = "resume"
_FOUND = "found"
_EVENT = "event"
_END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Copy:
    log: EventLog
    found: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resuming:
    """Finds the stream that an event's id tells of, and lets other replicas read those of here."""

    streams: KeptStreams
    replica: Replica
    background: Background
    _copies: dict[str, _Copy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.replica.hears(_RESUME, self._heard_resume)
        self.replica.hears(_FOUND, self._heard_found)
        self.replica.hears(_EVENT, self._heard_event)
        self.replica.hears(_END, self._heard_end)

    async def stream(self, nonce: str, place: Place) -> EventLog:
        """Return a stream that goes on after a place.

        Where nothing is left of it, it says that its requests have come to an end nobody knows.
        """
        log = self.streams.find(nonce, place.stream)
        if log is None and place.replica != self.replica.id and place.replica.isalnum():
            log = await self._elsewhere(nonce, place)
        return log or _lost(nonce, place)

    async def _elsewhere(self, nonce: str, place: Place) -> EventLog | None:
        token = secrets.token_hex(8)
        copy = _Copy(log=EventLog(name=place.stream, nonce=nonce, last=place.number))
        self._copies[token] = copy
        wanted: Json = {
            "token": token,
            "nonce": nonce,
            "stream": place.stream,
            "after": place.number,
        }
        with suppress(TimeoutError):
            async with asyncio.timeout(_WAIT_S):
                if await self.replica.try_to_tell(place.replica, _RESUME, wanted):
                    await copy.found.wait()
                    return copy.log
        del self._copies[token]
        return None

    def _heard_resume(self, content: Json) -> None:
        self.background.start(self._show(content))

    async def _show(self, wanted: Json) -> None:
        """Pass a stream of here on to the replica that asks for it."""
        log = self.streams.find(str(wanted["nonce"]), str(wanted["stream"]))
        to, seen = str(wanted["from"]), wanted["after"]
        if log is None or not isinstance(seen, int):
            return
        token: Json = {"token": wanted["token"]}
        await self.replica.try_to_tell(to, _FOUND, token)
        while True:
            for number, data in log.after(seen):
                seen = number
                event = token | {
                    "number": number,
                    "data": data.decode(),
                    "answers": log.is_answer(number),
                }
                if not await self.replica.try_to_tell(to, _EVENT, event):
                    return
            if log.ended and log.last <= seen:
                break
            await log.news(seen)
        await self.replica.try_to_tell(to, _END, token)

    def _heard_found(self, content: Json) -> None:
        if copy := self._copies.get(str(content["token"])):
            copy.found.set()

    def _heard_event(self, content: Json) -> None:
        copy, number = self._copies.get(str(content["token"])), content["number"]
        if copy is not None and isinstance(number, int):
            data, answers = str(content["data"]).encode(), content.get("answers") is True
            copy.log.tell(data, number, answers=answers)

    def _heard_end(self, content: Json) -> None:
        if copy := self._copies.pop(str(content["token"]), None):
            copy.log.end()


def _lost(nonce: str, place: Place) -> EventLog:
    """Answer what nobody else can answer any more, so that no client waits in vain."""
    log = EventLog(name=place.stream, nonce=nonce, last=place.number)
    error = {
        "code": INTERNAL_ERROR,
        "message": "The stream of this request is gone, and its outcome with it; look whether it "
        "took effect before asking again.",
    }
    for request in place.requests:
        log.tell(orjson.dumps({"jsonrpc": "2.0", "id": request, "error": error}))
    log.end()
    return log
