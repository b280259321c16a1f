"""The signals that end a process: SIGTERM lets it finish, SIGINT hurries it."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from trunkline_shared.departure import Departure, Pace

_PACES = {signal.SIGINT: Pace.QUICK, signal.SIGTERM: Pace.GENTLE}


@contextmanager
def obeying_signals(departure: Departure) -> Iterator[None]:
    """Let signals end the process for the length of the block.

    A second one hurries the end, and one more is the end.
    """
    loop = asyncio.get_running_loop()
    for number, pace in _PACES.items():
        loop.add_signal_handler(number, _end, departure, number, pace)
    try:
        yield
    finally:
        for number in _PACES:
            loop.remove_signal_handler(number)


def _end(departure: Departure, number: signal.Signals, pace: Pace) -> None:
    if departure.hurried:
        os._exit(128 + number)
    departure.begin(pace)
