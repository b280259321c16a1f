"""What a worker is given by the process that started it."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The worker `number` of so many; `again` where one has died in its place.

    `line` leads to the supervisor: orders come over it, and it is closed when that is gone.
    """

    number: int
    of: int
    sockets: Sequence[socket.socket]
    line: socket.socket
    folder: Path
    again: bool
