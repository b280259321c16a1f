"""What one stream of a session stands for, and what it hears, in the session's own words."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import orjson

from trunkline_router.model import Caller, Json, Request
from trunkline_router.sessions.event_log import EventLog
from trunkline_router.sessions.session import Session
from trunkline_router.subscriptions import ACKNOWLEDGED
from trunkline_router.wire.event import data_of
from trunkline_shared import meta

Tell = Callable[[bytes], None]


@dataclass(slots=True, kw_only=True, eq=False)
class Feed:
    """One stream that stands open; `asked` is the request that opened it, `log` what it tells.

    `answers` says that the session's answers are told on it too, so that it ends after the last
    of them. While nothing happens it has no task: thousands may stand. `uris` are the resources
    it hears of, by `listening`. `looking` is at what is remembered of the session, and looks
    `again` when that has changed meanwhile.
    """

    session: Session
    caller: Caller
    asked: Request
    log: EventLog
    answers: bool = False
    uris: tuple[str, ...] = ()
    listening: "asyncio.Task[None] | None" = None
    looking: "asyncio.Task[None] | None" = None
    again: bool = False
    ended: bool = False


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
