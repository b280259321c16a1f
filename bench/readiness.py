"""How processes say that they are ready, and how those are waited for that say nothing."""

import socket
import time
from collections.abc import Callable

_PAUSE_S = 0.05


def report(port: int) -> None:
    """Say that this process listens, and where."""
    print(port, flush=True)


def until_listening(port: int, seconds: float, alive: Callable[[], bool]) -> None:
    """Return once somebody accepts connections on a loopback port.

    Raises TimeoutError when nobody does in time, RuntimeError when the program is not alive.
    """
    until = time.monotonic() + seconds
    while not _accepts(port):
        if not alive():
            raise RuntimeError(f"the program for port {port} has ended")
        if time.monotonic() > until:
            raise TimeoutError(f"nobody listens on port {port} after {seconds:.0f} s")
        time.sleep(_PAUSE_S)


def free_port() -> int:
    """Return a loopback port that nobody has, for programs that can only be told one."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
