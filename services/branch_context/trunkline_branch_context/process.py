"""A child process whose output is bounded, and whose end leaves nothing behind."""

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import anyio

STDOUT = 1
BURIAL_S = 1.0


class RunningProcess(asyncio.SubprocessProtocol):
    """Collects output up to a cap and drops the rest, so that nobody is left writing.

    `over` is set once the process has ended and its pipes are closed, so that `code` and output
    are final; `exited` as soon as the process itself has ended, whoever still holds its pipes.
    """

    def __init__(self, out_cap: int, complaint_cap: int) -> None:
        self.over = asyncio.Event()
        self.exited = asyncio.Event()
        self.out = bytearray()
        self.complaint = bytearray()
        self.overflowed = False
        self.code = -1
        self._out_cap = out_cap
        self._complaint_cap = complaint_cap
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transport is none of asyncio's subclasses.
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == STDOUT:
            self.overflowed = self.overflowed or len(self.out) + len(data) > self._out_cap
            self.out += data[: self._out_cap - len(self.out)]
        else:
            self.complaint += data[: self._complaint_cap - len(self.complaint)]

    def process_exited(self) -> None:
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the overridden signature
        code = self._transport.get_returncode() if self._transport is not None else None
        self.code = -1 if code is None else code
        self.over.set()


Started = tuple[asyncio.SubprocessTransport, RunningProcess]


async def start(
    command: Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
    caps: tuple[int, int],
) -> Started:
    """Start a program in a process group of its own; `caps` bound stdout and stderr in bytes.

    asyncio cannot be cancelled in the middle of a start: it would kill the program but not the
    program's children, and wait for these. So the start runs to its end, and is undone.
    """
    starting = asyncio.ensure_future(_started(command, directory, environment, caps))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        starting.add_done_callback(_undo)
        with anyio.CancelScope(shield=True):
            await asyncio.wait([starting], timeout=BURIAL_S)
        raise


async def _started(
    command: Sequence[str],
    directory: Path,
    environment: Mapping[str, str],
    caps: tuple[int, int],
) -> Started:
    transport, process = await asyncio.get_running_loop().subprocess_exec(
        lambda: RunningProcess(*caps),
        *command,
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        cwd=directory,
        env=environment,
        start_new_session=True,
    )
    return transport, process


def _undo(starting: asyncio.Future[Started]) -> None:
    if starting.cancelled() or starting.exception() is not None:
        return
    transport, _ = starting.result()
    _kill_group(transport)
    transport.close()


async def end(transport: asyncio.SubprocessTransport, process: RunningProcess) -> None:
    """Kill the process and whatever it started, unless it has ended; also under cancellation."""
    try:
        if not process.over.is_set():
            _kill_group(transport)
            with anyio.CancelScope(shield=True), anyio.move_on_after(BURIAL_S):
                await process.exited.wait()
    finally:
        transport.close()


def _kill_group(transport: asyncio.SubprocessTransport) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(transport.get_pid(), signal.SIGKILL)
