"""Streams that are told of lists that change, and how one comes to know that it is not."""

import asyncio
from dataclasses import dataclass, field

import pytest

from trunkline_router.catalogue.directory import Directory
from trunkline_router.model import Json
from trunkline_router.sessions.background import Background
from trunkline_router.sessions.event_log import EventLog
from trunkline_router.sessions.list_changes import ListChanges
from trunkline_router.view import WHOLE, View

pytestmark = pytest.mark.anyio


@dataclass
class Faulty:
    """A catalogue that fails whoever waits for it to change, as often as it is told to."""

    faults: asyncio.Queue[Exception] = field(default_factory=asyncio.Queue)
    asked: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    settled: bool = True

    def directory(self, view: View = WHOLE) -> Directory:
        return Directory()

    def pins(self, server: str) -> Json:
        return {}

    async def look_again(self) -> None:
        """Do nothing."""

    async def changed(self, since: Directory, scope: str | None) -> Directory:
        self.asked.release()
        raise await self.faults.get()


def log() -> EventLog:
    return EventLog(name="", nonce="n")


async def test_a_stream_that_opens_after_a_failure_is_watched_for_anew() -> None:
    """Though others, which are to come again, have not left yet."""
    catalog, background, before, after = Faulty(), Background(), log(), log()
    lists = ListChanges(catalog=catalog, background=background)
    async with asyncio.timeout(5), background.running():
        lists.join(WHOLE, before)
        await catalog.asked.acquire()
        catalog.faults.put_nowait(RuntimeError("the catalogue fails"))
        assert await before.news(0)
        assert before.ended
        lists.join(WHOLE, after)
        await catalog.asked.acquire()
        lists.leave(WHOLE, before)
        catalog.faults.put_nowait(RuntimeError("the catalogue fails again"))
        assert await after.news(0)
        assert after.ended
        lists.leave(WHOLE, after)
