"""Telling subscribers that branches have changed: a poll of file stamps while anybody listens."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ResourceUpdated,
    ServerEvent,
    SubscriptionBus,
)

from trunkline_branch_context.checkout import Checkout
from trunkline_branch_context.json_file import Stamp, stamp_of
from trunkline_branch_context.place import Place, find_place
from trunkline_branch_context.state import state_paths
from trunkline_branch_context.uris import BRANCHES_URI, TREE_URI, context_uri
from trunkline_shared.errors import TrunklineError

POLL_S = 1.0
MOST_FOLDERS = 10_000

log = logging.getLogger(__name__)


class AudienceBus:
    """The SDK's in-process bus, which also tells whether anybody listens."""

    def __init__(self) -> None:
        self._bus: SubscriptionBus = InMemorySubscriptionBus()
        self._listeners = 0
        self._somebody = asyncio.Event()

    async def publish(self, event: ServerEvent) -> None:
        await self._bus.publish(event)

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        leave = self._bus.subscribe(listener)
        self._listeners += 1
        self._somebody.set()
        left = False

        def unsubscribe() -> None:
            nonlocal left
            leave()
            if not left:
                left = True
                self._listeners -= 1
            if self._listeners == 0:
                self._somebody.clear()

        return unsubscribe

    async def somebody(self) -> None:
        """Return as soon as somebody listens."""
        await self._somebody.wait()

    @property
    def deserted(self) -> bool:
        return self._listeners == 0


Stamps = dict[Path, Stamp]


def stamps(place: Place) -> Stamps:
    """Return the stamps of what the tree depends on: HEAD, references, state.

    git replaces references by renaming, which changes the folder's time, so folders suffice; a
    reftable repository renames its `tables.list`.
    """
    watched = (
        place.git_dir / "HEAD",
        place.common_dir / "packed-refs",
        place.common_dir / "reftable" / "tables.list",
        *state_paths(place),
        *_folders(place.common_dir / "refs" / "heads"),
    )
    return {path: stamp for path in watched if (stamp := stamp_of(path)) is not None}


def _folders(top: Path) -> Iterator[Path]:
    return (Path(folder) for folder, _, _ in islice(os.walk(top), MOST_FOLDERS))


@dataclass(slots=True, kw_only=True)
class Watch:
    """Publishes which resources changed, at most once a second."""

    checkout: Checkout
    bus: AudienceBus
    _seen: Stamps | None = field(default=None, init=False)
    _place: Place | None = field(default=None, init=False)

    async def begin(self) -> None:
        """Look once before somebody is told to be listening: what changes from then on is news."""
        if self.bus.deserted:
            seen = await self._look()
            # Whoever came meanwhile was told so after an earlier look.
            if self.bus.deserted:
                self._seen = seen

    async def run(self) -> None:
        """Poll for ever, resting while nobody listens."""
        while True:
            await self.bus.somebody()
            self._seen = self._seen or await self._look()
            while not self.bus.deserted:
                await self.checkout.clock.sleep(POLL_S)
                await self.poll()

    async def poll(self) -> None:
        """Look once, and publish when something differs from the look before."""
        now = await self._look()
        if now is None or now == self._seen:
            return
        self._seen = now
        for uri in await self._changed():
            await self.bus.publish(ResourceUpdated(uri=uri))

    async def _look(self) -> Stamps | None:
        """Return the stamps, asking git only where the checkout is, and that once."""
        try:
            self._place = self._place or await find_place(self.checkout.git)
        except TrunklineError as error:
            log.info("the checkout cannot be watched now: %s", error.message)
            return self._seen
        found = await asyncio.to_thread(stamps, self._place)
        if not found:
            self._place = None
            return self._seen
        return found

    async def _changed(self) -> list[str]:
        """Return what may differ: the two lists, and each branch's own context."""
        try:
            known = sorted((await self.checkout.overview()).known)
        except TrunklineError:
            known = []
        return [TREE_URI, BRANCHES_URI, *map(context_uri, known)]
