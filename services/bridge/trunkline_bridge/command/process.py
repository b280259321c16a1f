"""A command under its warden: started whole, ended whole."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from trunkline_bridge.command import warden
from trunkline_bridge.command.output import Output, kill_group
from trunkline_bridge.command.unbroken import unbroken

END_S: Final = warden.GRACE_S + 2.0
"""How long the warden may take; it is killed then, with all that is in its group."""
_WARDEN: Final = (sys.executable, "-I", "-m", warden.__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What is run; `folder` is removed with its end."""

    argv: Sequence[str]
    environment: Mapping[str, str] = field(repr=False)
    directory: Path
    folder: Path
    prompt: BinaryIO


@dataclass(slots=True, kw_only=True)
class Process:
    """A running command, in a session of its own; it does not outlive this process."""

    output: Output
    _transport: asyncio.SubprocessTransport
    _lifeline: int

    @property
    def code(self) -> int | None:
        """The exit code, 128 and more for a signal; None while it is running."""
        return self._transport.get_returncode()

    async def end(self) -> None:
        """End the command and whatever it has started; they are gone when this returns."""
        await unbroken(self._ended())

    async def _ended(self) -> None:
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        try:
            async with asyncio.timeout(END_S):
                await self.output.exited.wait()
        except TimeoutError:
            kill_group(self._transport)
            await self.output.exited.wait()
        self._transport.close()


async def started(command: Command, output: Output) -> Process:
    """Start a command. Raises OSError.

    A start cannot be cancelled halfway: what has begun is begun, and then ended.
    """
    starting = asyncio.ensure_future(_started(command, output))
    try:
        return await unbroken(starting)
    except asyncio.CancelledError:
        if starting.exception() is None:
            await starting.result().end()
        raise


async def _started(command: Command, output: Output) -> Process:
    reading, writing = os.pipe()
    try:
        transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: output,
            *(*_WARDEN, str(reading), str(command.folder), *command.argv),
            stdin=command.prompt,
            stdout=PIPE,
            stderr=PIPE,
            cwd=command.directory,
            env=dict(command.environment),
            pass_fds=[reading],
            start_new_session=True,
        )
    except BaseException:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    return Process(output=output, _transport=transport, _lifeline=writing)
