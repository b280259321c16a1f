"""The streams of sessions that stand open in this process: one for each session."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from trunkline_router.core import Core
from trunkline_router.model import Json
from trunkline_router.sessions.background import Background
from trunkline_router.sessions.calls import Calls
from trunkline_router.sessions.feed import Feed
from trunkline_router.sessions.keep_alives import KeepAlives
from trunkline_router.sessions.list_changes import ListChanges
from trunkline_router.sessions.replica import Replica
from trunkline_router.sessions.resource_updates import ResourceUpdates
from trunkline_router.sessions.session_memory import SessionMemory
from trunkline_router.wire.refusal import Refused

_CHANGED = "changed"
_ENDED = "ended"

Reading = Callable[[], Coroutine[Any, Any, None]]
"""Writes to the client what a feed's log has, until that has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeds:
    """Runs them, and lets each know of what concerns it, wherever that happened."""

    core: Core
    memory: SessionMemory
    replica: Replica
    background: Background
    calls: Calls
    lists: ListChanges
    resources: ResourceUpdates
    keep_alives: KeepAlives = field(default_factory=KeepAlives)
    _open: dict[str, Feed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.replica.hears(_CHANGED, self._heard_changed)
        self.replica.hears(_ENDED, lambda content: self._end(str(content["nonce"])))
        self.replica.begins(self._look_again)

    async def run(self, feed: Feed, reading: Reading) -> None:
        """Tell what happens, until the caller may not hear it any longer, or the session ends.

        One that stood open for the same session ends: its client came back.
        """
        self.keep_alives.join(feed.log)
        feed.looking = self.background.started(self._begin(feed))
        try:
            with self.memory.standing(feed.session):
                with suppress(Refused):
                    await self.core.standing.keep(feed.asked.bearer, feed.caller, reading())
                self._over(feed)
                await reading()
        finally:
            self._drop(feed)
            self.keep_alives.leave(feed.log)

    async def changed(self, nonce: str) -> None:
        """Let a session's feed know that what is remembered of the session has changed."""
        if not self._changed(nonce):
            await self.replica.try_to_tell(None, _CHANGED, {"nonce": nonce})

    async def end(self, nonce: str) -> None:
        """End a session's feed, wherever it stands."""
        self._end(nonce)
        content: Json = {"nonce": nonce}
        await self.replica.try_to_tell(None, _ENDED, content)

    async def _begin(self, feed: Feed) -> None:
        nonce = feed.session.nonce
        await self.end(nonce)
        # Another may have been opened while the others were told.
        self._end(nonce)
        self._open[nonce] = feed
        await self._look(feed)

    async def _look(self, feed: Feed) -> None:
        """Follow what the session wants to hear of, which nothing is before it is open."""
        try:
            feed.again = True
            while feed.again:
                feed.again = False
                now = await self.memory.of(feed.session)
                if feed.session.version or now.opened is not None:
                    self.lists.join(feed.asked.view, feed.log)
                    await self.resources.follow(feed, now.uris)
        except Refused:
            self._over(feed)
        except Exception:
            # Whoever would not be told any more comes again.
            self._over(feed)
            raise
        finally:
            feed.looking = None

    def _heard_changed(self, content: Json) -> None:
        self._changed(str(content["nonce"]))

    def _changed(self, nonce: str) -> bool:
        feed = self._open.get(nonce)
        if feed is None:
            return False
        if feed.looking is None:
            feed.looking = self.background.started(self._look(feed))
        else:
            feed.again = True
        return True

    def _end(self, nonce: str) -> None:
        feed = self._open.get(nonce)
        if feed is not None:
            self._over(feed)

    def _over(self, feed: Feed) -> None:
        """Tell no more of what happens; what is told already is read to its end."""
        self._drop(feed)
        if feed.ended:
            return
        feed.ended = True
        if feed.answers:
            self.background.start(self._answered(feed))
        else:
            feed.log.end()

    async def _answered(self, feed: Feed) -> None:
        await self.calls.finished(feed.session.nonce)
        feed.log.end()

    def _drop(self, feed: Feed) -> None:
        if self._open.get(feed.session.nonce) is feed:
            del self._open[feed.session.nonce]
        self.lists.leave(feed.asked.view, feed.log)
        for task in (feed.listening, feed.looking):
            if task is not None:
                task.cancel()

    def _look_again(self) -> None:
        for nonce in list(self._open):
            self._changed(nonce)
