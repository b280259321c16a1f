"""Lists that change, told to sessions: looked at once for all that see the same."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field

import orjson

from trunkline_router.catalogue.directory import Directory
from trunkline_router.model import Json
from trunkline_router.ports import Catalog
from trunkline_router.sessions.background import Background
from trunkline_router.sessions.event_log import EventLog
from trunkline_router.subscriptions import LISTS, changed_lists
from trunkline_router.view import View

_AT_ONCE = 8
_EVERY_LIST = tuple(LISTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Watch:
    task: "asyncio.Task[None]"
    logs: set[EventLog]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChanges:
    """Compares what a view shows whenever the catalogue changes, as long as anybody listens."""

    catalog: Catalog
    background: Background
    _watches: dict[View, _Watch] = field(default_factory=dict)

    def join(self, view: View, log: EventLog) -> None:
        """Let a stream be told what changes in a view from now on."""
        if view not in self._watches:
            self._watches[view] = self._watch(view)
        self._watches[view].logs.add(log)

    def leave(self, view: View, log: EventLog) -> None:
        """Let it be told no more."""
        watch = self._watches.get(view)
        if watch is None:
            return
        watch.logs.discard(log)
        if not watch.logs:
            del self._watches[view]
            watch.task.cancel()

    def _watch(self, view: View) -> _Watch:
        logs: set[EventLog] = set()
        since = self.catalog.directory(View(scope=view.scope)), self.catalog.directory(view)
        task = self.background.started(self._tell(view, since, logs))
        watch = _Watch(task=task, logs=logs)

        def ended(_: "asyncio.Task[None]") -> None:
            # Whoever would not be told any more comes again, and is watched for anew.
            if self._watches.get(view) is watch:
                del self._watches[view]
            for log in logs:
                log.end()

        task.add_done_callback(ended)
        return watch

    async def _tell(
        self, view: View, since: tuple[Directory, Directory], logs: set[EventLog]
    ) -> None:
        known, before = since
        while True:
            known = await self.catalog.changed(known, view.scope)
            after = self.catalog.directory(view)
            for method in changed_lists(before, after, _EVERY_LIST):
                await _told(notification(method, {}), iter(tuple(logs)))
            before = after


async def _told(message: bytes, logs: Iterator[EventLog]) -> None:
    for number, log in enumerate(logs, start=1):
        log.tell(message)
        if number % _AT_ONCE == 0:
            # Each is written to its client; others' calls come in between.
            await asyncio.sleep(0)


def notification(method: str, params: Json) -> bytes:
    """Return a notification to a session."""
    return orjson.dumps({"jsonrpc": "2.0", "method": method, "params": params})
