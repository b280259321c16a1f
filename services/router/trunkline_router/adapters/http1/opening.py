"""Connections as they come about: a name, a socket, and its certificate."""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import aiohappyeyeballs

from trunkline_router.adapters.http1.connection import Connection
from trunkline_router.adapters.http1.names import Names
from trunkline_router.adapters.http1.origin import Origin
from trunkline_router.link import NeverSent

_NEXT_S = 0.25
"""How long one address may take before another is tried beside it; RFC 8305, section 8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Opens connections, each within `connect_s` seconds with the look-up of its name."""

    names: Names
    connect_s: float
    trust: Callable[[], ssl.SSLContext]

    async def connected(self, origin: Origin, made: Callable[[], Connection]) -> Connection:
        """Return a new connection to an origin. Raises NeverSent."""
        try:
            async with asyncio.timeout(self.connect_s):
                return await self._connected(origin, made)
        except (OSError, UnicodeError) as error:
            raise NeverSent from error

    async def _connected(self, origin: Origin, made: Callable[[], Connection]) -> Connection:
        addresses = await self.names(origin.host, origin.port)
        sock = await aiohappyeyeballs.start_connection(
            list(addresses), happy_eyeballs_delay=_NEXT_S, interleave=1
        )
        _, connection = await asyncio.get_running_loop().create_connection(
            made,
            sock=sock,
            ssl=self.trust() if origin.tls else None,
            server_hostname=origin.host.rstrip(".") if origin.tls else None,
        )
        return connection


@cache
def system_trust() -> ssl.SSLContext:
    """Return whom the system trusts; read once, since that takes as long as a hundred calls."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
