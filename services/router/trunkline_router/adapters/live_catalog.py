"""The catalogue as it is now: every server listed at the start and kept fresh behind the scenes."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from trunkline_router.directory import Directory, Listing, merge
from trunkline_router.fleet import Fleet
from trunkline_router.listing import LISTS, offered, read_listing
from trunkline_router.model import Json
from trunkline_router.narrowing import Views
from trunkline_router.ports import Upstream
from trunkline_router.refusal import Refused
from trunkline_router.view import WHOLE, View
from trunkline_router.vitals import Vitals
from trunkline_shared import wire
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError, UpstreamTimeout

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often the servers are asked; seconds.

    `budget_s` is how long a server may take before the router is ready without it. A server that
    cannot be listed is asked again after `retry_s`, doubled each time up to `retry_cap_s`.
    """

    budget_s: float = 20.0
    refresh_s: float = 30.0
    load_s: float = 10.0
    retry_s: float = 0.25
    retry_cap_s: float = 10.0
    look_again_s: float = 5.0
    look_again_wait_s: float = 2.0


_PAGES = 100
_NOTHING = Directory()
"""What is seen of a server that has been taken out of the configuration."""


@dataclass(slots=True, kw_only=True)
class LiveCatalog:
    """Holds the merged directories, and replaces them whenever a server's listing changes.

    A server that fails keeps what was last known of it. `exempt` servers keep their names in any
    collision.
    """

    upstream: Upstream
    fleet: Fleet
    exempt: frozenset[str]
    clock: Clock
    pace: Pace
    _listings: dict[str, Listing] = field(default_factory=dict)
    _directories: dict[str | None, Directory] = field(default_factory=dict)
    _settled: dict[str, asyncio.Event] = field(default_factory=dict)
    _loaded: dict[str, asyncio.Event] = field(default_factory=dict)
    _rebuilt: asyncio.Event = field(default_factory=asyncio.Event)
    _views: Views = field(default_factory=Views)
    _last_look: float | None = None

    def __post_init__(self) -> None:
        self.follow_fleet()

    def follow_fleet(self) -> None:
        """Know the servers that the fleet has now, and forget the others."""
        for events in (self._settled, self._loaded):
            for server in self.fleet.keys() - events.keys():
                events[server] = asyncio.Event()
            for server in events.keys() - self.fleet.keys():
                events.pop(server).set()
        for server in self._listings.keys() - self.fleet.keys():
            del self._listings[server]
        self._rebuild()

    async def changed(self, since: Directory, scope: str | None) -> Directory:
        while self._directories.get(scope, _NOTHING) is since:
            await self._rebuilt.wait()
        return self._directories.get(scope, _NOTHING)

    def directory(self, view: View = WHOLE) -> Directory:
        whole = self._directories.get(view.scope, _NOTHING)
        return self._views.of(whole, view) if view.is_narrowed else whole

    @property
    def settled(self) -> bool:
        """Whether every server is listed, remembered, or past its budget."""
        return all(event.is_set() for event in self._settled.values())

    async def wait_settled(self) -> None:
        for event in list(self._settled.values()):
            await event.wait()

    async def keep(self, server: str) -> None:
        """Keep one server's listing fresh, until cancelled."""
        vitals = self.fleet[server].vitals
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._expire(self._settled[server]))
            failures = 0
            while True:
                vitals.suspect.clear()
                failures = 0 if await self._load(server) else failures + 1
                self._loaded[server].set()
                await self._pause(vitals, failures)

    async def look_again(self) -> None:
        """List every server once more, for whoever asked for a name that is not known.

        At most every `look_again_s`; who comes meanwhile waits for the look under way.
        """
        now = self.clock.monotonic()
        if self._last_look is None or now - self._last_look >= self.pace.look_again_s:
            self._last_look = now
            for server, loaded in self._loaded.items():
                loaded.clear()
                self.fleet[server].vitals.suspect.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.pace.look_again_wait_s):
                for loaded in list(self._loaded.values()):
                    await loaded.wait()

    async def _expire(self, settled: asyncio.Event) -> None:
        await self.clock.sleep(self.pace.budget_s)
        settled.set()

    async def _pause(self, vitals: Vitals, failures: int) -> None:
        pace = self.pace
        backoff = min(pace.retry_s * 2 ** min(failures, 10), pace.retry_cap_s)
        with suppress(TimeoutError):
            async with asyncio.timeout(backoff if failures else pace.refresh_s):
                await vitals.suspect.wait()

    async def _load(self, server: str) -> bool:
        try:
            async with asyncio.timeout(self.pace.load_s):
                listing = await self._listing(server)
        except TimeoutError:
            return self._failed(server, UpstreamTimeout.code)
        except TrunklineError as error:
            return self._failed(server, error.code)
        except Refused as refusal:
            return self._failed(server, str(refusal.code))
        except Exception as bug:  # noqa: BLE001 - no listing, however odd, may end the router
            return self._failed(server, wire.unexpected(bug, doing=f"listing {server}").code)
        self._listings[server] = listing
        self.fleet[server].vitals.listed()
        self._settled[server].set()
        self._rebuild()
        return True

    def _failed(self, server: str, code: str) -> bool:
        vitals = self.fleet[server].vitals
        if vitals.available or vitals.last_error != code:
            log.warning("server %s cannot be listed: %s", server, code)
        vitals.unlisted(code)
        self._rebuild()
        return False

    async def _listing(self, server: str) -> Listing:
        received = self.clock.monotonic()
        discovered = await self.upstream.ask(server, "server/discover", {})
        try:
            async with asyncio.TaskGroup() as tasks:
                pages = {
                    key: tasks.create_task(self._pages(server, LISTS[key][0]))
                    for key in offered(discovered)
                }
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        return read_listing(
            server, discovered, {key: task.result() for key, task in pages.items()}, received
        )

    async def _pages(self, server: str, method: str) -> Sequence[Json]:
        pages: list[Json] = []
        seen: set[str] = set()
        params: Json = {}
        while len(pages) < _PAGES:
            page = await self.upstream.ask(server, method, params)
            pages.append(page)
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or cursor in seen:
                break
            seen.add(cursor)
            params = {"cursor": cursor}
        return pages

    def _rebuild(self) -> None:
        missing = [id_ for id_, member in self.fleet.items() if not member.vitals.available]
        known = [self._listings[server] for server in self.fleet if server in self._listings]
        self._directories = {None: merge(known, missing, self.exempt)}
        for server in self.fleet:
            own = [listing for listing in known if listing.server == server]
            self._directories[server] = merge(own, {server}.intersection(missing), self.exempt)
        waiting, self._rebuilt = self._rebuilt, asyncio.Event()
        waiting.set()
