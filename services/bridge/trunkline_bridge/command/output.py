"""What a process says, bounded: lines of its standard output, the end of its complaints."""

import asyncio
from typing import Final

MIB: Final = 1024 * 1024
OUT_CAP: Final = 16 * MIB
"""Bytes of standard output: turns with the results of their tools are a few hundred thousand."""
COMPLAINT_CAP: Final = 4096
_STDOUT = 1


class Flooded(Exception):
    """The process has said more than it may."""


class Output(asyncio.SubprocessProtocol):
    """Takes whatever comes, so that nobody is left writing, and keeps what fits."""

    def __init__(self, out_cap: int = OUT_CAP) -> None:
        self.exited = asyncio.Event()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._rest = bytearray()
        self._complaint = bytearray()
        self._room = out_cap

    async def line(self) -> bytes | None:
        """Return the next line, None at the end of the output. Raises Flooded."""
        line = await self._lines.get()
        if line is None and self._room < 0:
            raise Flooded
        return line

    @property
    def complained(self) -> str:
        """The end of what it wrote on standard error."""
        return self._complaint.decode(errors="replace")

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _STDOUT:
            self._said(data)
        else:
            self._complaint += data
            del self._complaint[:-COMPLAINT_CAP]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 - the overridden signature
        if fd == _STDOUT and self._room >= 0:
            self._over()

    def process_exited(self) -> None:
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the overridden signature
        self._lines.put_nowait(None)

    def _said(self, data: bytes) -> None:
        if self._room < 0:
            return
        self._room -= len(data)
        if self._room < 0:
            self._rest.clear()
            self._lines.put_nowait(None)
            return
        *whole, rest = data.split(b"\n")
        for line in whole:
            self._lines.put_nowait(bytes(self._rest) + line)
            self._rest.clear()
        self._rest += rest

    def _over(self) -> None:
        if self._rest:
            self._lines.put_nowait(bytes(self._rest))
            self._rest.clear()
        self._lines.put_nowait(None)
