"""Logins that failed, by the address that they came from: who guesses has to wait."""

import ipaddress
import math
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from trunkline_shared.clock import Clock

MOST: Final = 10
WINDOW_S: Final = 60.0
_ADDRESSES = 1024
_ONE_HOUSE = 64


@dataclass(frozen=True, slots=True)
class FailedLogins:
    """Lets an address fail `most` times a minute; others do not wait for it."""

    clock: Clock
    most: int = MOST
    _failed: dict[str, deque[float]] = field(default_factory=dict)

    def wait_s(self, peer: str) -> int:
        """Return how long an address has to wait; 0 when it may try now."""
        failed = self._failed.get(_house_of(peer))
        if failed is None or len(failed) < self.most:
            return 0
        return max(0, math.ceil(failed[0] + WINDOW_S - self.clock.monotonic()))

    def note(self, peer: str) -> None:
        """Note that a login from an address has failed."""
        house = _house_of(peer)
        failed = self._failed.pop(house, None)
        if failed is None:
            failed = deque[float](maxlen=self.most)
            if len(self._failed) >= _ADDRESSES:
                del self._failed[next(iter(self._failed))]
        failed.append(self.clock.monotonic())
        self._failed[house] = failed


def _house_of(peer: str) -> str:
    """Return an address, or the network that one house has of IPv6 addresses."""
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return peer
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        # A socket for both versions shows an IPv4 address so, and all of them are in one network.
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, _ONE_HOUSE), strict=False))
