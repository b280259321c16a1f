"""A process' start: it can be ended at once, and imports no more than it needs, without a pause."""

import gc
import importlib
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType

from trunkline_shared.deferral import defer

_SELDOM_ASKED = ("mcp", "httpx2")
"""The SDK's whole, of which its server is enough; the client that its server fetches URLs with."""


def launch(package: str) -> None:
    """Run the `SERVICE` of a package on its own: the whole of a service's `__main__`."""
    serve, own = imported("trunkline_shared.serve", f"{package}.service")
    serve.main(own.SERVICE)


def imported(*names: str) -> tuple[ModuleType, ...]:
    """Import what a program is made of; SIGTERM ends the process meanwhile."""
    # The first process of a container has no default for it: it would not hear it and start.
    signal.signal(signal.SIGTERM, _end)
    with importing():
        return tuple(importlib.import_module(name) for name in names)


@contextmanager
def importing() -> Iterator[None]:
    """Import modules in the block that stay until the end."""
    for package in _SELDOM_ASKED:
        defer(package)
    # A fifth of the start would go into looking for garbage in modules again and again.
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _end(number: int, _: FrameType | None) -> None:
    os._exit(128 + number)
