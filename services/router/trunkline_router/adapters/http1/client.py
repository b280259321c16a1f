"""All connections to servers, by origin."""

from collections.abc import Callable
from ssl import SSLContext
from types import TracebackType
from typing import Self

from yarl import URL

from trunkline_router.adapters.http1.names import LookUp, Names, by_system, only
from trunkline_router.adapters.http1.opening import Opening, system_trust
from trunkline_router.adapters.http1.origin import Origin
from trunkline_router.adapters.http1.pool import Pool


class Client:
    """Has a pool for each origin; a context manager that closes them.

    It knows no proxies, follows nothing, keeps no cookies and sets no bound on how many
    connections there are. `connect_s` is seconds; `trust` says whose certificates are good.
    """

    def __init__(
        self,
        connect_s: float,
        look_up: LookUp = by_system,
        trust: Callable[[], SSLContext] = system_trust,
    ) -> None:
        self._opening = Opening(names=Names(look_up), connect_s=connect_s, trust=trust)
        self._pools: dict[Origin, Pool] = {}

    def pool(self, url: URL) -> Pool:
        """Return the connections to the origin of a URL."""
        origin = Origin.of(url)
        pool = self._pools.get(origin)
        if pool is None:
            pool = self._pools[origin] = Pool(origin, self._opening)
        return pool

    def at_address(self, address: str) -> "Client":
        """Return a client with connections of its own, to which every host is at one address.

        Host header and certificate check stay those of the name. Whoever asks closes it.
        """
        return Client(self._opening.connect_s, only(address), self._opening.trust)

    def close(self) -> None:
        """Close all connections, whatever is under way on them."""
        for pool in self._pools.values():
            pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
