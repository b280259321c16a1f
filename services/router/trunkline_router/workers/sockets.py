"""The sockets of one port, one for each worker: the system shares connections out among them.

Of one socket that all accept from, whoever wakes first takes a whole burst of connections, and
clients keep theirs. Each socket stays open in the supervisor: what waits in that of a worker that
has died is taken by another.
"""

import socket
from collections.abc import Sequence

from trunkline_router.listening import BACKLOG, bind


def bound(host: str, port: int, many: int) -> Sequence[socket.socket]:
    """Return so many listening sockets of one port.

    Raises ConfigurationError when somebody else listens there, or the address cannot be had.
    """
    # Alone at first: a port that is shared says nothing when another router shares it as well.
    with bind(host, port) as first:
        family, address = first.family, first.getsockname()
    return [_one_of(family, address) for _ in range(many)]


def _one_of(family: int, address: tuple[object, ...]) -> socket.socket:
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.bind(address)
    listening.listen(BACKLOG)
    return listening
