"""The way in which a modern server serves clients that are older than itself, if it has one.

Some servers ask their client something only over a session: a call of an older client that can
be asked is better off there than in the modern form, where such a server gives up asking.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from trunkline_router.adapters.links.connection import HandshakeRefused
from trunkline_router.adapters.links.legacy_link import LegacyLink


@dataclass(slots=True, kw_only=True)
class OlderLeg:
    """Opens the way at the first call that wants it; `make` is None where there can be none."""

    make: Callable[[], LegacyLink] | None
    _link: LegacyLink | None = None
    _refused: bool = False
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def link(self) -> LegacyLink | None:
        """Return the way, or None where the server takes part in no handshake."""
        async with self._opening:
            if self._link is None and self.make is not None and not self._refused:
                self._link = await self._opened(self.make())
            return self._link

    def abandon(self, state: str) -> None:
        """Let go of the call that waits under a `requestState`."""
        if self._link is not None:
            self._link.abandon(state)

    async def close(self) -> None:
        """End its sessions; it may be opened anew."""
        link, self._link, self._refused = self._link, None, False
        if link is not None:
            await link.close()

    async def _opened(self, link: LegacyLink) -> LegacyLink | None:
        try:
            await link.open()
        except HandshakeRefused:
            self._refused = True
            await link.close()
            return None
        except BaseException:
            await link.close()
            raise
        return link
