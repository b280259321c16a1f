"""The catalogue as it is now: remembered at the start, and kept fresh behind the scenes."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from trunkline_router.adapters.known import Known
from trunkline_router.adapters.lister import Lister
from trunkline_router.adapters.merging import merged
from trunkline_router.adapters.pinning import Pinning
from trunkline_router.adapters.remembered import Remembered
from trunkline_router.catalogue.directory import Directory, Listing
from trunkline_router.catalogue.listing import Answers, read_listing
from trunkline_router.catalogue.naming import Prefix
from trunkline_router.catalogue.narrowing import Views
from trunkline_router.catalogue.shaping import shaped
from trunkline_router.fleet import Fleet
from trunkline_router.model import Json
from trunkline_router.view import WHOLE, View
from trunkline_router.wire.refusal import Refused
from trunkline_shared import wire
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError, UpstreamTimeout

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often the servers are asked; seconds.

    `budget_s` is how long one of the mesh's own servers may take before the router is ready
    without it, `foreign_budget_s` any other. A server that cannot be listed is asked again after
    `retry_s`, doubled each time up to `retry_cap_s`. Listings of one server are `apart_s` apart,
    whatever it announces. One that has been away for `forget_s` is forgotten.
    """

    budget_s: float = 20.0
    foreign_budget_s: float = 2.0
    refresh_s: float = 30.0
    load_s: float = 10.0
    retry_s: float = 0.25
    retry_cap_s: float = 10.0
    apart_s: float = 0.5
    look_again_s: float = 5.0
    look_again_wait_s: float = 2.0
    forget_s: float = 3600.0


_NOTHING = Directory()
"""What is seen of a server that has been taken out of the configuration."""


@dataclass(slots=True, kw_only=True)
class LiveCatalog:
    """Holds the merged directories, and replaces them whenever a server's listing changes.

    Nobody who asks it waits for a server. One that fails keeps what was last known of it.
    `prefix` says how names are made unique at this moment.
    """

    lister: Lister
    fleet: Fleet
    memory: Remembered
    pinning: Pinning
    clock: Clock
    pace: Pace
    prefix: Callable[[], Prefix] = lambda: "collision"
    _known: dict[str, Known] = field(default_factory=dict)
    _directories: dict[str | None, Directory] = field(default_factory=dict)
    _rebuilt: asyncio.Event = field(default_factory=asyncio.Event)
    _views: Views = field(default_factory=Views)
    _last_look: float | None = None
    _left_out: Sequence[tuple[str, str]] = ()

    def __post_init__(self) -> None:
        self.follow_fleet()

    def follow_fleet(self) -> None:
        """Know the servers that the fleet has now, and forget the others."""
        for server in self.fleet.keys() - self._known.keys():
            self._known[server] = Known()
        for server in self._known.keys() - self.fleet.keys():
            known = self._known.pop(server)
            known.sought.set()
            known.loaded.set()
        self._rebuild()

    async def recall(self) -> None:
        """Begin with what was known before the router was started; the store may take 2 s."""
        async with asyncio.TaskGroup() as tasks:
            for server in self.fleet:
                tasks.create_task(self._recall(server))
        self._rebuild()

    async def changed(self, since: Directory, scope: str | None) -> Directory:
        # Lists are read again all the time: hundreds may wait here, and only for something new.
        while (now := self._directories.get(scope, _NOTHING)).stamp() == since.stamp():
            await self._rebuilt.wait()
        return now

    def directory(self, view: View = WHOLE) -> Directory:
        whole = self._directories.get(view.scope, _NOTHING)
        return self._views.of(whole, view) if view.is_narrowed else whole

    def known(self, server: str) -> Known | None:
        """Return what is known of a server, beside what is shown of it."""
        return self._known.get(server)

    def pins(self, server: str) -> Json:
        known = self._known.get(server)
        if known is None:
            return {}
        named = {"changed": known.review.changed, "new": known.review.new}
        return {what: list(tools) for what, tools in named.items() if tools}

    @property
    def settled(self) -> bool:
        """Whether every server is listed, remembered, or past its budget."""
        return all(known.settled for known in self._known.values())

    async def wait_sought(self) -> None:
        """Wait until every server is listed or past its budget, whatever is remembered of it."""
        for known in list(self._known.values()):
            await known.sought.wait()

    async def keep(self, server: str) -> None:
        """Keep one server's listing fresh, until cancelled."""
        known = self._known[server]
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._expire(server, known))
            failures = 0
            while True:
                self.fleet[server].vitals.suspect.clear()
                known.asked = self.clock.monotonic()
                failures = 0 if await self._load(server, known) else failures + 1
                known.asked = None
                known.loaded.set()
                await self._pause(server, failures)

    async def look_again(self) -> None:
        """List every server once more, for whoever asked for a name that is not known.

        At most every `look_again_s`; who comes meanwhile waits for the look under way. Servers
        that are away, or have not answered the last question yet, are not waited for.
        """
        now = self.clock.monotonic()
        slow = {id_ for id_, known in self._known.items() if known.is_slow(now)}
        if self._last_look is None or now - self._last_look >= self.pace.look_again_s:
            self._last_look = now
            for server, known in self._known.items():
                known.loaded.clear()
                self.fleet[server].vitals.suspect.set()
        quick = [known.loaded for server, known in self._known.items() if server not in slow]
        await asyncio.sleep(0)  # Whoever asks in a loop must let others run.
        with suppress(TimeoutError):
            async with asyncio.timeout(self.pace.look_again_wait_s):
                for loaded in quick:
                    await loaded.wait()

    async def reconsider(self, server: str) -> None:
        """Show a server's listing anew, as it is configured and approved now."""
        known = self._known.get(server)
        if known is not None and known.answered is not None:
            await self._show(server, known, known.answered)
            self._rebuild()

    async def _recall(self, server: str) -> None:
        answers = await self.memory.answers(server)
        known = self._known.get(server)
        if answers is None or known is None or known.answered is not None:
            return
        listing = self._read(server, answers)
        # How long it would have held is not known: it counts as old from the start.
        await self._show(server, known, replace(listing, expires=self.clock.monotonic()))

    async def _expire(self, server: str, known: Known) -> None:
        own = self.fleet[server].built_in
        await self.clock.sleep(self.pace.budget_s if own else self.pace.foreign_budget_s)
        known.sought.set()

    async def _pause(self, server: str, failures: int) -> None:
        pace = self.pace
        backoff = min(pace.retry_s * 2 ** min(failures, 10), pace.retry_cap_s)
        if not failures:
            await self.clock.sleep(pace.apart_s)
        with suppress(TimeoutError):
            async with asyncio.timeout(backoff if failures else pace.refresh_s):
                await self.fleet[server].vitals.suspect.wait()

    async def _load(self, server: str, known: Known) -> bool:
        try:
            async with asyncio.timeout(self.pace.load_s):
                answers = await self.lister.answers(server)
            listing = self._read(server, answers)
            await self._show(server, known, listing)
        except TimeoutError:
            return await self._failed(server, known, UpstreamTimeout.code)
        except TrunklineError as error:
            return await self._failed(server, known, error.code, error.message)
        except Refused as refusal:
            return await self._failed(server, known, str(refusal.code), refusal.message)
        except Exception as bug:  # noqa: BLE001 - no listing, however odd, may end the router
            code = wire.unexpected(bug, doing=f"listing {server}").code
            return await self._failed(server, known, code)
        known.back()
        self.fleet[server].vitals.listed()
        self._rebuild()
        await self.memory.keep(server, answers)
        return True

    async def _failed(self, server: str, known: Known, code: str, why: str = "No answer.") -> bool:
        vitals = self.fleet[server].vitals
        if vitals.available or vitals.last_error != code:
            log.warning("server %s cannot be listed: %s: %s", server, code, why)
        vitals.unlisted(code)
        now = self.clock.monotonic()
        if known.away_for(now) >= self.pace.forget_s and known.listing is not None:
            log.warning("server %s has been away for long: it is forgotten", server)
            known.forget()
            await self.memory.forget(server)
        self._rebuild()
        return False

    def _read(self, server: str, answers: Answers) -> Listing:
        now = self.clock.monotonic()
        return read_listing(server, answers.discovered, answers.lists, now)

    async def _show(self, server: str, known: Known, listing: Listing) -> None:
        member = self.fleet[server]
        mode = "off" if member.built_in else member.entry.pin
        verdict = await self.pinning.verdict(listing, mode)
        made = shaped(listing, member.entry, built_in=member.built_in)
        if known.warnings != made.warnings:
            for warning in made.warnings:
                log.warning("%s", warning)
        known.warnings = made.warnings
        known.answered = listing
        known.review = verdict.review
        known.listing = replace(made.listing, held=verdict.held)

    def _rebuild(self) -> None:
        self._directories = merged(self.fleet, self._known, self.prefix())
        before, self._left_out = self._left_out, self._directories[None].left_out
        for server, name in set(self._left_out).difference(before):
            log.warning("tool %s.%s is left out: its name is taken", server, name)
        waiting, self._rebuilt = self._rebuilt, asyncio.Event()
        waiting.set()
