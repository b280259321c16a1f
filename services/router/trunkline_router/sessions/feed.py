"""What a session is told between its calls: lists that changed, resources that were updated."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import orjson

from trunkline_router.core import Core
from trunkline_router.model import Caller, Era, Json, Request
from trunkline_router.sessions.session import Remembered, Session
from trunkline_router.sessions.session_memory import SessionMemory
from trunkline_router.subscriptions import ACKNOWLEDGED, LISTEN, LISTS
from trunkline_router.wire.event import data_of
from trunkline_router.wire.refusal import Refused
from trunkline_shared import meta

log = logging.getLogger(__name__)

_EVERY_LIST: Json = dict.fromkeys(LISTS, True)
_OVERLAP_S = 2.0

Tell = Callable[[bytes], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Translating:
    """A listen stream of 2026-07-28 in the words of older revisions: no ids, nothing to confirm."""

    tell: Tell
    confirmed: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, frame: bytes) -> None:
        data = data_of(frame)
        message = orjson.loads(data) if data else {}
        if message.get("method") == ACKNOWLEDGED:
            self.confirmed.set()
        elif "method" in message:
            self.tell(orjson.dumps(_untagged(message)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """Listens for one session on one stream; `asked` is the request that opened the stream.

    `changed` is set when what the mesh remembers of the session has changed.
    """

    session: Session
    core: Core
    memory: SessionMemory
    asked: Request
    caller: Caller
    tell: Tell
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        """Tell what happens, until the caller may not hear it any longer, or `ended` is set."""
        async with asyncio.TaskGroup() as tasks:
            telling = tasks.create_task(self._tell_all())
            ending = tasks.create_task(self.ended.wait())
            await asyncio.wait((telling, ending), return_when=asyncio.FIRST_COMPLETED)
            telling.cancel()
            ending.cancel()

    async def _tell_all(self) -> None:
        # All of it, since one that is not open yet may not outlast the router either.
        with suppress(Refused):
            await self.core.standing.keep(self.asked.bearer, self.caller, self._told())

    async def _told(self) -> None:
        now = await self._opened()
        async with asyncio.TaskGroup() as tasks:
            updates = tasks.create_task(self._follow(now))
            await self._listen(_EVERY_LIST, Translating(tell=self.tell))
            updates.cancel()

    async def _opened(self) -> Remembered:
        """Wait until the session is open, which one of 2024-11-05 is only after `initialize`."""
        while True:
            self.changed.clear()
            now = await self.memory.of(self.session)
            if self.session.version or now.opened is not None:
                return now
            await self.changed.wait()

    async def _follow(self, now: Remembered) -> None:
        """Listen for the resources that the session subscribes to, whichever those are."""
        known: tuple[str, ...] = ()
        listening: asyncio.Task[None] | None = None
        async with asyncio.TaskGroup() as tasks:
            while not now.ended:
                if now.uris != known:
                    known, before = now.uris, listening
                    listening = await self._begun(tasks, known) if known else None
                    _ = before is None or before.cancel()
                now = await self._next()

    async def _next(self) -> Remembered:
        """Wait for what is remembered next; a session that has ended has nothing more to hear."""
        await self.changed.wait()
        self.changed.clear()
        try:
            return await self.memory.of(self.session)
        except Refused:
            self.ended.set()
            return Remembered(ended=True)

    async def _begun(self, tasks: asyncio.TaskGroup, uris: tuple[str, ...]) -> "asyncio.Task[None]":
        """Begin to listen before what was listened to until now is given up."""
        channel = Translating(tell=self.tell)
        task = tasks.create_task(self._listen({"resourceSubscriptions": list(uris)}, channel))
        with suppress(TimeoutError):
            async with asyncio.timeout(_OVERLAP_S):
                await channel.confirmed.wait()
        return task

    async def _listen(self, wanted: Json, channel: Translating) -> None:
        request = replace(
            self.asked,
            method=LISTEN,
            params={"notifications": wanted},
            era=Era.MODERN,
            channel=channel,
        )
        try:
            await self.core.listened(request, self.caller)
        except Refused as refusal:
            log.info("a session's stream ends: %s", refusal.message)


def _untagged(message: Json) -> Json:
    params = message.get("params")
    given = params if isinstance(params, dict) else {}
    notes = given.get("_meta")
    kept = (
        {key: value for key, value in notes.items() if key != meta.SUBSCRIPTION_ID}
        if isinstance(notes, dict)
        else {}
    )
    untagged = {key: value for key, value in given.items() if key != "_meta"}
    return message | {"params": untagged | ({"_meta": kept} if kept else {})}
