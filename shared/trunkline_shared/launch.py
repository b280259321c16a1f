"""A process' start: it can be ended at once, and nobody looks for garbage in what is imported."""

import gc
import importlib
import os
import signal
from types import FrameType, ModuleType


def launch(package: str) -> None:
    """Run the `SERVICE` of a package on its own: the whole of a service's `__main__`."""
    serve, own = imported("trunkline_shared.serve", f"{package}.service")
    serve.main(own.SERVICE)


def imported(*names: str) -> tuple[ModuleType, ...]:
    """Import what a program is made of; SIGTERM ends the process meanwhile."""
    # The first process of a container has no default for it: it would not hear it and start.
    signal.signal(signal.SIGTERM, _end)
    # A fifth of the start would go into looking through modules again and again.
    gc.disable()
    modules = tuple(importlib.import_module(name) for name in names)
    gc.freeze()
    gc.enable()
    return modules


def _end(number: int, _: FrameType | None) -> None:
    os._exit(128 + number)
