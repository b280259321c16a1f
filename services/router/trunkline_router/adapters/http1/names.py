"""From a host's name to its addresses."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import cast

AddressInfo = tuple[int, int, int, str, tuple[str, int] | tuple[str, int, int, int]]
"""As `socket.getaddrinfo` has it."""
LookUp = Callable[[str, int], Awaitable[Sequence[AddressInfo]]]
"""From a host and a port to where it may be reached. Raises OSError and UnicodeError."""
# A container that is made anew has another address; whoever resolves names keeps what is worth it.
_KNOWN_S = 1.0


class Names:
    """Looks each name up once for all who ask at the same time, and again after a second."""

    def __init__(self, look_up: LookUp) -> None:
        self._look_up = look_up
        self._known: dict[tuple[str, int], tuple[float, Sequence[AddressInfo]]] = {}
        self._asked: dict[tuple[str, int], asyncio.Future[Sequence[AddressInfo]]] = {}

    async def __call__(self, host: str, port: int) -> Sequence[AddressInfo]:
        place, now = (host, port), asyncio.get_running_loop().time()
        until, found = self._known.get(place, (0.0, ()))
        if now < until:
            return found
        asked = self._asked.get(place)
        if asked is None:
            asked = self._asked[place] = asyncio.ensure_future(self._look_up(host, port))
            asked.add_done_callback(lambda task: self._learn(place, task))
        # Whoever gives up takes nobody's answer away.
        return await asyncio.shield(asked)

    def _learn(self, place: tuple[str, int], task: "asyncio.Future[Sequence[AddressInfo]]") -> None:
        del self._asked[place]
        if not task.cancelled() and task.exception() is None:
            self._known[place] = task.get_loop().time() + _KNOWN_S, task.result()


async def by_system(host: str, port: int) -> Sequence[AddressInfo]:
    """Ask whatever the system asks."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return cast("Sequence[AddressInfo]", found)


def only(address: str) -> LookUp:
    """Return what says that every host is at one address."""

    async def look_up(_: str, port: int) -> Sequence[AddressInfo]:
        if ":" in address:
            return [(socket.AF_INET6, socket.SOCK_STREAM, 0, "", (address, port, 0, 0))]
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, port))]

    return look_up
