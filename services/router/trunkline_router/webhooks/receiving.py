"""A proven delivery put into effect: once, and again if that did not come about."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from trunkline_router.cache.bumps import Bumps, Cause
from trunkline_router.cache.hooks import Hooked
from trunkline_router.webhooks.delivery import Told
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.kept_port import Kept

REMEMBERED_S = 86_400.0
PATIENCE_S = 5.0
"""Vendors wait some 10 s for an answer."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiving:
    """Bumps what a delivery spoils, and learns from it what will be told.

    A delivery is remembered as done when it is: one that was cut off, with its router or with the
    store, is carried out when the vendor sends it again.
    """

    bumps: Bumps
    hooked: Hooked
    kept: Kept
    tasks: Callable[[], asyncio.TaskGroup]
    patience_s: float = PATIENCE_S

    async def receive(self, vendor: str, told: Told) -> str:
        """Return `done`, `duplicate` or `pending`.

        Pending is one that takes long and goes on; so does one whose sender has left.
        """
        key = f"delivery:{vendor}:{told.id}"
        if await self._is_done(key):
            return "duplicate"
        work = self.tasks().create_task(self._carry_out(key, told))
        done, _ = await asyncio.wait({work}, timeout=self.patience_s)
        return "done" if done else "pending"

    async def _carry_out(self, key: str, told: Told) -> None:
        await self.bumps.bump(told.tags, Cause.EVENT)
        for lesson in told.lessons:
            await self.hooked.learn(lesson)
        with suppress(UpstreamUnavailable):
            await self.kept.claim(key, ttl_s=REMEMBERED_S)

    async def _is_done(self, key: str) -> bool:
        try:
            return await self.kept.get(key) is not None
        except UpstreamUnavailable:
            # To bump twice costs a fetch; not to bump costs the truth.
            return False
