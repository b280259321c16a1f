"""The streams of sessions that stand open in this process: one for each session."""

from dataclasses import dataclass, field

from trunkline_router.model import Json
from trunkline_router.sessions.feed import Feed
from trunkline_router.sessions.replica import Replica

_CHANGED = "changed"
_ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeds:
    """Runs them, and lets each know of what concerns it, wherever that happened."""

    replica: Replica
    _open: dict[str, Feed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.replica.hears(_CHANGED, self._heard_changed)
        self.replica.hears(_ENDED, lambda content: self._end(str(content["nonce"])))
        self.replica.begins(self._look_again)

    async def run(self, feed: Feed) -> None:
        """Run a feed; one that stood open for the same session ends: its client came back."""
        nonce = feed.session.nonce
        await self.end(nonce)
        # Another may have been opened while the others were told.
        self._end(nonce)
        self._open[nonce] = feed
        try:
            await feed.run()
        finally:
            if self._open.get(nonce) is feed:
                del self._open[nonce]

    async def changed(self, nonce: str) -> None:
        """Let a session's feed know that what is remembered of the session has changed."""
        if not self._changed(nonce):
            await self.replica.try_to_tell(None, _CHANGED, {"nonce": nonce})

    async def end(self, nonce: str) -> None:
        """End a session's feed, wherever it stands."""
        self._end(nonce)
        content: Json = {"nonce": nonce}
        await self.replica.try_to_tell(None, _ENDED, content)

    def _heard_changed(self, content: Json) -> None:
        self._changed(str(content["nonce"]))

    def _changed(self, nonce: str) -> bool:
        feed = self._open.get(nonce)
        if feed is not None:
            feed.changed.set()
        return feed is not None

    def _end(self, nonce: str) -> None:
        feed = self._open.pop(nonce, None)
        if feed is not None:
            feed.ended.set()

    def _look_again(self) -> None:
        for feed in self._open.values():
            feed.changed.set()
