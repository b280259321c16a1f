"""What a process says, bounded: lines of its standard output, the end of its complaints."""

import asyncio
import os
import signal
from contextlib import suppress
from typing import Final, cast

MIB: Final = 1024 * 1024
OUT_CAP: Final = 16 * MIB
"""Bytes of standard output: turns with the results of their tools are a few hundred thousand."""
COMPLAINT_CAP: Final = 4096
_STDOUT = 1


def kill_group(transport: asyncio.SubprocessTransport) -> None:
    """Kill a process with its group, or what is left of that."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(transport.get_pid(), signal.SIGKILL)


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
        self._transport: asyncio.SubprocessTransport | None = None

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

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transport is none of asyncio's subclasses.
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def process_exited(self) -> None:
        assert self._transport is not None
        code = self._transport.get_returncode()
        if code is not None and code < 0:
            # Who was to end the others was killed, and they hold the pipes open.
            kill_group(self._transport)
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
