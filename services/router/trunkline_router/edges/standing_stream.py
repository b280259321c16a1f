"""An event stream that stands open: what its session is told, once, and that it is alive."""

from dataclasses import dataclass

from aiohttp import web

from trunkline_router.sessions.feed import Feed
from trunkline_router.sessions.feeds import Feeds
from trunkline_router.sessions.kept_streams import event_id
from trunkline_router.wire.channel import EventStream
from trunkline_router.wire.event import KEEP_ALIVE, event_of


async def stood(stream: EventStream, feeds: Feeds, feed: Feed) -> web.StreamResponse:
    """Tell a session what happens on a stream that has begun, until that ends."""
    await feeds.run(feed, _Reading(stream=stream, feed=feed).to_the_end)
    assert stream.response is not None
    return stream.response


@dataclass(slots=True, kw_only=True)
class _Reading:
    stream: EventStream
    feed: Feed
    seen: int = 0

    async def to_the_end(self) -> None:
        """Write what is told, from where it was cut off before; what is written is let go."""
        log = self.feed.log
        while True:
            for number, data in log.after(self.seen):
                # Before the write: what cuts it off finds the bytes under way already.
                self.seen = number
                head = b"id: " + event_id(log.name, number) + b"\n" if log.name else b""
                await self.stream.write(event_of(data, head=head))
            log.forget(self.seen)
            if log.lost or (log.ended and log.last <= self.seen):
                return
            if not await log.news(self.seen):
                await self.stream.write(KEEP_ALIVE)
