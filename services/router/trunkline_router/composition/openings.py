"""The listening sockets that a process takes connections from: its own, and those of others."""

import socket
from collections.abc import Sequence

from aiohttp import web

from trunkline_router.listening import BACKLOG


class Openings:
    """Opens and closes the sockets of one port, by their numbers.

    `own` is opened when serving begins, unless it `waits` to be told. Of the others copies are
    opened: whose they are uses them again.
    """

    def __init__(
        self, sockets: Sequence[socket.socket], *, own: int = 0, waits: bool = False
    ) -> None:
        self._sockets = sockets
        self._own = own
        self._waits = waits
        self._runner: web.ServerRunner | None = None
        self._sites: dict[int, web.SockSite] = {}
        self._ended = False

    async def begin(self, runner: web.ServerRunner) -> None:
        """Serve from now on what is opened."""
        self._runner = runner
        if not self._waits:
            await self.open(self._own)

    async def open(self, number: int) -> None:
        """Take connections from one of the sockets."""
        if self._runner is None or self._ended or number in self._sites:
            return
        listening = self._sockets[number]
        on = listening if number == self._own else listening.dup()
        site = self._sites[number] = web.SockSite(self._runner, on, backlog=BACKLOG)
        await site.start()

    async def close(self, number: int) -> None:
        """Leave a socket to the process whose it is."""
        site = self._sites.pop(number, None)
        if site is not None and number != self._own:
            await site.stop()

    async def end(self) -> None:
        """Take no connection any more: whoever comes now is refused, unless another takes it."""
        self._ended = True
        for site in self._sites.values():
            await site.stop()
        for one in self._sockets:
            one.close()
