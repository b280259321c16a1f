"""Leaving a process whose work is done."""

import os
import sys
from contextlib import suppress
from typing import NoReturn


def leave(code: int = 0) -> NoReturn:
    """End the process now, with everything printed.

    Everything has been closed by then; taking the imported modules apart would take longer than
    all the rest of the end does, seconds on a busy machine.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
