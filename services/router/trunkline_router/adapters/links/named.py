"""A host name with several addresses, as replicas: asked for again and again, each on its own."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address

from yarl import URL

from trunkline_router.adapters.links.replicas import Replica, Replicas
from trunkline_router.link import Link, Post, Reply
from trunkline_router.model import Json
from trunkline_shared.clock import Clock

log = logging.getLogger(__name__)

AGAIN_S = 30.0

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""From a host name and a port to its addresses, sorted. Raises OSError."""


async def resolved(host: str, port: int) -> Sequence[str]:
    """Return a name's addresses: those of IPv4 if it has any, since the others are the same hosts.

    Raises OSError.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    by_family = {
        family: sorted({str(address[0]) for kind, _, _, _, address in found if kind is family})
        for family in (socket.AF_INET, socket.AF_INET6)
    }
    return by_family[socket.AF_INET] or by_family[socket.AF_INET6]


def is_name(url: URL) -> bool:
    """Say whether a URL's host may stand for several."""
    if url.host is None or url.host == "localhost":
        return False
    try:
        ip_address(url.host)
    except ValueError:
        return True
    return False


@dataclass(slots=True, kw_only=True)
class Named:
    """One link while the name has one address, replicas while it has more.

    `pinned` makes the replica at one address; `plain` goes wherever the name leads.
    """

    plain: Link
    pinned: Callable[[str], Replica]
    clock: Clock
    resolve: Resolve = resolved
    _replicas: Replicas | None = None
    _leaving: list[Replica] = field(default_factory=list)

    @property
    def url(self) -> URL:
        return self.plain.url

    async def perform(self, post: Post) -> Reply:
        link = self._replicas or self.plain
        return await link.perform(post)

    def abandon(self, state: str) -> None:
        self.plain.abandon(state)
        if self._replicas is not None:
            self._replicas.abandon(state)

    async def close(self) -> None:
        await self.plain.close()
        for replica in self._leaving:
            await replica.close()
        if self._replicas is not None:
            await self._replicas.close()

    async def keep(self) -> None:
        """Follow the name until cancelled."""
        while True:
            await self.look_up()
            await self.clock.sleep(AGAIN_S)

    async def look_up(self) -> None:
        """Have a link for each address that the name has now; a failure changes nothing."""
        url = self.plain.url
        try:
            addresses = await self.resolve(url.host or "", url.port or 0)
        except (OSError, UnicodeError) as error:
            log.info("%s cannot be resolved: %s", url.host, error)
            return
        await self._part()
        self._become(addresses if len(addresses) > 1 else ())

    def to_json(self) -> Sequence[Json]:
        """Return how each replica is doing, for `/status`; nothing for a single one."""
        return () if self._replicas is None else self._replicas.to_json()

    def _become(self, addresses: Sequence[str]) -> None:
        before = () if self._replicas is None else self._replicas.places
        known = {replica.name: replica for replica in before}
        places = [known.pop(each) if each in known else self.pinned(each) for each in addresses]
        self._leaving += known.values()
        if not places:
            self._replicas = None
        elif self._replicas is None:
            self._replicas = Replicas(clock=self.clock, places=places)
        else:
            self._replicas.places = places

    async def _part(self) -> None:
        """Close the links that the name no longer leads to, once their last call has ended."""
        done = [replica for replica in self._leaving if not replica.in_flight]
        self._leaving = [replica for replica in self._leaving if replica.in_flight]
        for replica in done:
            await replica.close()


async def follow_name(link: Link) -> None:
    """Follow the name of a link that goes by one; nothing to do for any other."""
    if isinstance(link, Named):
        await link.keep()
