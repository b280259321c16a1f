"""What the servers tell, fanned out: one listen stream at each, whoever and how many listen."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from trunkline_router.adapters.listening_line import Line, ListenPace
from trunkline_router.fleet import Fleet
from trunkline_router.ports import Catalog, Upstream
from trunkline_router.updates import Updated
from trunkline_router.view import WHOLE, View
from trunkline_shared.clock import Clock

log = logging.getLogger(__name__)

_MOST_RESOURCES = 4096
_OPENING_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenHub:
    """Listens at every server that has something to tell.

    A change of a server's lists makes the catalogue look at once; changes of resources go to
    those who asked for them.
    """

    catalog: Catalog
    upstream: Upstream
    fleet: Fleet
    clock: Clock
    pace: ListenPace = field(default_factory=ListenPace)
    _lines: dict[str, Line] = field(default_factory=dict)

    @asynccontextmanager
    async def of(self, uris: Iterable[str], view: View = WHOLE) -> AsyncIterator[Updated]:
        """Listen to the resources that a view shows, for the length of the block.

        The block begins once their servers listen, or after a second.
        """
        lines = self._owners(dict.fromkeys(uris), view)
        updated = Updated(honoured=tuple(uri for own in lines.values() for uri in own))
        for server, own in lines.items():
            self._line(server).join(updated, own)
        try:
            await self._opened(lines)
            yield updated
        finally:
            for server, own in lines.items():
                self._line(server).leave(updated, own)

    def reaches(self, uri: str, view: View = WHOLE) -> bool:
        """Say whether a view shows the resource."""
        return self.catalog.directory(view).owner_of(uri) is not None

    async def listen(self, server: str) -> None:
        """Keep the one stream at a server, until cancelled."""
        line = self._line(server)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(line.run())
            while True:
                directory = self.catalog.directory(View(scope=server))
                kinds = frozenset(kind for one in directory.listings for kind in one.announces)
                line.expect(kinds, back=server not in directory.missing)
                await self.catalog.changed(directory, server)

    async def _opened(self, lines: Mapping[str, Iterable[str]]) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_OPENING_S):
                for server, own in lines.items():
                    await self._line(server).hears(own)

    def _owners(self, uris: Iterable[str], view: View) -> dict[str, list[str]]:
        directory = self.catalog.directory(view)
        lines: dict[str, list[str]] = {}
        for uri in uris:
            owner = directory.owner_of(uri)
            if owner is not None and owner in self.fleet:
                lines.setdefault(owner, []).append(uri)
        for server in [one for one in lines if self._line(one).resources > _MOST_RESOURCES]:
            log.warning("too many resources of %s are listened to", server)
            del lines[server]
        return lines

    def _line(self, server: str) -> Line:
        if server not in self._lines:
            self._lines[server] = Line(
                server=server,
                upstream=self.upstream,
                clock=self.clock,
                pace=self.pace,
                lists_changed=lambda: self._look(server),
            )
        return self._lines[server]

    def _look(self, server: str) -> None:
        member = self.fleet.get(server)
        if member is not None:
            member.vitals.suspect.set()
