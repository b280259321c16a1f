"""The resources that a session subscribes to, listened to as long as its stream stands."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, replace

from trunkline_router.core import Core
from trunkline_router.model import Era
from trunkline_router.sessions.background import Background
from trunkline_router.sessions.feed import Feed, Translating
from trunkline_router.subscriptions import LISTEN
from trunkline_router.wire.refusal import Refused

log = logging.getLogger(__name__)

_OVERLAP_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceUpdates:
    """Tells streams of resources that were updated; one that may not hear of them ends."""

    core: Core
    background: Background

    async def follow(self, feed: Feed, uris: tuple[str, ...]) -> None:
        """Listen to other resources, before those listened to until now are given up."""
        if uris == feed.uris:
            return
        feed.uris, before = uris, feed.listening
        feed.listening = None
        try:
            if uris:
                await self._begin(feed)
        finally:
            _ = before is None or before.cancel()

    async def _begin(self, feed: Feed) -> None:
        channel = Translating(tell=feed.log.tell)
        feed.listening = self.background.started(self._listen(feed, channel))
        with suppress(TimeoutError):
            async with asyncio.timeout(_OVERLAP_S):
                await channel.confirmed.wait()

    async def _listen(self, feed: Feed, channel: Translating) -> None:
        request = replace(
            feed.asked,
            method=LISTEN,
            params={"notifications": {"resourceSubscriptions": list(feed.uris)}},
            era=Era.MODERN,
            channel=channel,
        )
        try:
            await self.core.listened(request, feed.caller)
        except Refused as refusal:
            log.info("a session hears of its resources no longer: %s", refusal.message)
        except Exception:
            # Whoever would not be told any more comes again.
            feed.log.end()
            raise
