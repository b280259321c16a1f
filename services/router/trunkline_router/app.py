"""The router as a whole: opens what it needs, serves, and closes all of it."""

import socket
from collections.abc import Callable

from trunkline_router.settings import RouterSettings
from trunkline_shared.clock import Clock, SystemClock


async def serve(
    settings: RouterSettings,
    *,
    on: socket.socket | None = None,
    ready: Callable[[], None] | None = None,
    clock: Clock | None = None,
) -> None:
    """Serve until cancelled or told to end by SIGINT or SIGTERM.

    `on` is a listening socket to use in place of the configured address; `ready` is called once,
    when the router listens and every server is listed or past its budget of 20 s. Ends within 2 s,
    open streams included. Raises ConfigurationError when the address cannot be had.
    """
    _ = settings, on, ready, clock or SystemClock()
    raise NotImplementedError
