"""One listen stream at one server, for all who want to hear something from it."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

import orjson
from mcp_types.jsonrpc import METHOD_NOT_FOUND

from trunkline_router.model import Json
from trunkline_router.ports import Upstream
from trunkline_router.updates import Updated
from trunkline_router.wire.event import data_of
from trunkline_router.wire.refusal import Refused
from trunkline_shared import wire
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError

log = logging.getLogger(__name__)

LISTEN = "subscriptions/listen"
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_UPDATED = "notifications/resources/updated"
_LIST_CHANGED = "/list_changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenPace:
    """How soon streams follow each other; seconds.

    A stream that broke off is opened again after `again_s`, doubled up to `again_cap_s`; one that
    stood for `steady_s` begins anew. Who cannot listen at all is asked again after `deaf_s`.
    Resources that nobody wants any longer are listened to for `linger_s` more.
    """

    again_s: float = 0.5
    again_cap_s: float = 15.0
    steady_s: float = 30.0
    deaf_s: float = 300.0
    gather_s: float = 0.01
    linger_s: float = 0.5
    opening_s: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked of the server: kinds of list changes, and resources."""

    kinds: frozenset[str] = frozenset()
    uris: frozenset[str] = frozenset()

    def to_params(self) -> Json:
        asked: Json = dict.fromkeys(sorted(self.kinds), True)
        if self.uris:
            asked["resourceSubscriptions"] = sorted(self.uris)
        return {"notifications": asked}


@dataclass(slots=True, kw_only=True, eq=False)
class _Stream:
    """One listen request; `settled` once it is acknowledged, or over."""

    line: "Line"
    wanted: Wanted
    opened: float
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    over: bool = False
    deaf: bool = False
    task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        server = self.line.server
        try:
            await self.line.upstream.ask(server, LISTEN, self.wanted.to_params(), self)
        except Refused as refusal:
            self.deaf = refusal.code == METHOD_NOT_FOUND
            log.info("%s takes no subscriptions: %s", server, refusal.message)
        except TrunklineError as error:
            log.info("listening at %s broke off: %s", server, error.message)
        except Exception as bug:  # noqa: BLE001 - no stream, however odd, may end the router
            wire.unexpected(bug, doing=f"listening at {server}")
        finally:
            self.over = True
            self.settled.set()
            self.line.stir()

    async def send(self, frame: bytes) -> None:
        """Take one event of the server."""
        data = data_of(frame)
        message = orjson.loads(data) if data else {}
        method = message.get("method")
        if method == _ACKNOWLEDGED:
            self.settled.set()
            self.line.stir()
        elif method == _UPDATED and isinstance(message.get("params"), dict):
            self.line.tell(message["params"].get("uri"))
        elif isinstance(method, str) and method.endswith(_LIST_CHANGED):
            self.line.lists_changed()

    def end(self) -> None:
        if self.task is not None:
            self.task.cancel()


@dataclass(slots=True, kw_only=True, eq=False)
class Line:
    """Keeps one stream open while anybody wants to hear something of `server`.

    When more is wanted, another stream takes its place before it is closed, so that nothing is
    missed. After a break every resource counts as updated, and the lists are read again: what
    happened meanwhile is not replayed.
    """

    server: str
    upstream: Upstream
    clock: Clock
    pace: ListenPace
    lists_changed: Callable[[], None]
    kinds: frozenset[str] = frozenset()
    _listeners: dict[str, set[Updated]] = field(default_factory=dict)
    _stream: _Stream | None = None
    _failures: int = 0
    _broken: bool = False
    _resting: bool = False
    _back: asyncio.Event = field(default_factory=asyncio.Event)
    _stirred: asyncio.Event = field(default_factory=asyncio.Event)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def expect(self, kinds: frozenset[str], *, back: bool) -> None:
        """Listen for these kinds of list changes; `back` says that the server is there again."""
        if back:
            self._back.set()
        if kinds != self.kinds:
            self.kinds = kinds
            self.stir()

    @property
    def resources(self) -> int:
        """How many resources are listened to."""
        return len(self._listeners)

    def join(self, updated: Updated, uris: Iterable[str]) -> None:
        """Tell `updated` of these resources from now on."""
        for uri in uris:
            self._listeners.setdefault(uri, set()).add(updated)
        self.stir()

    def leave(self, updated: Updated, uris: Iterable[str]) -> None:
        """Tell it nothing any longer."""
        for uri in uris:
            listeners = self._listeners.get(uri, set())
            listeners.discard(updated)
            if not listeners:
                self._listeners.pop(uri, None)
        self.stir()

    def tell(self, uri: object) -> None:
        """Pass on that a resource has changed."""
        if isinstance(uri, str):
            for updated in self._listeners.get(uri, ()):
                updated.put(uri)

    def stir(self) -> None:
        """Look at once whether the stream is what it should be."""
        self._stirred.set()
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def hears(self, uris: Iterable[str]) -> None:
        """Wait until the server listens for these resources, or cannot."""
        wanted = frozenset(uris)
        while not self._has_settled(wanted):
            await self._news.wait()

    async def run(self) -> None:
        """Keep the stream, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                self._stirred.clear()
                await self._adjust(tasks)
                await self._stirred.wait()

    def _has_settled(self, uris: frozenset[str]) -> bool:
        stream = self._stream
        if stream is None:
            return self._resting
        return uris <= stream.wanted.uris and stream.settled.is_set()

    async def _adjust(self, tasks: asyncio.TaskGroup) -> None:
        stream = self._stream
        if stream is not None and stream.over:
            self._stream = None
            await self._wait_after(stream)
            return
        # Who wants something at the same moment is heard together.
        await self.clock.sleep(self.pace.gather_s)
        wanted = Wanted(kinds=self.kinds, uris=frozenset(self._listeners))
        if stream is None:
            if wanted != Wanted():
                await self._open(tasks, wanted)
        elif wanted != stream.wanted:
            await self._replace(tasks, stream, wanted)

    async def _replace(self, tasks: asyncio.TaskGroup, old: _Stream, wanted: Wanted) -> None:
        if wanted.uris <= old.wanted.uris and wanted.kinds <= old.wanted.kinds:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.pace.linger_s):
                    await self._stirred.wait()
                    return
        if wanted == Wanted():
            self._stream = None
        else:
            await self._open(tasks, wanted)
        old.end()

    async def _open(self, tasks: asyncio.TaskGroup, wanted: Wanted) -> None:
        stream = _Stream(line=self, wanted=wanted, opened=self.clock.monotonic())
        stream.task = tasks.create_task(stream.run())
        with suppress(TimeoutError):
            async with asyncio.timeout(self.pace.opening_s):
                await stream.settled.wait()
        self._stream = stream
        if self._broken and not stream.over:
            self._broken = False
            self._catch_up()
        self.stir()

    async def _wait_after(self, stream: _Stream) -> None:
        self._broken = True
        stood = self.clock.monotonic() - stream.opened >= self.pace.steady_s
        self._failures = 1 if stood else self._failures + 1
        doubled = self.pace.again_s * 2 ** min(self._failures - 1, 10)
        rest_s = self.pace.deaf_s if stream.deaf else min(doubled, self.pace.again_cap_s)
        self._resting = True
        self._back.clear()
        self.stir()
        with suppress(TimeoutError):
            async with asyncio.timeout(rest_s):
                await self._back.wait()
        self._resting = False

    def _catch_up(self) -> None:
        self.lists_changed()
        for uri in list(self._listeners):
            self.tell(uri)
