"""One child process that speaks MCP on its standard streams."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from trunkline_router.adapters.links.child_log import ChildLog
from trunkline_router.adapters.links.link_tasks import LinkTasks

_LAUNCHER = Path(__file__).with_name("launch_child.py")
_CHUNK = 64 * 1024
_LONGEST_TOLD = 16 * 1024
_GRACE_S = 0.4
"""How long a child may take to end by itself, and again after SIGTERM."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What is run: an argument vector, never a shell's words."""

    argv: Sequence[str]
    env: Mapping[str, str] = field(repr=False)
    cwd: str | None


@dataclass(slots=True, kw_only=True, eq=False)
class Child:
    """A running child in a process group of its own; it never outlives this process."""

    process: asyncio.subprocess.Process
    lifeline: int
    log: ChildLog
    background: LinkTasks
    _watching: "asyncio.Task[None] | None" = None

    @classmethod
    async def started(cls, command: Command, log: ChildLog, background: LinkTasks) -> "Child":
        """Start it. Raises OSError."""
        reading_end, writing_end = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-I", "-S", str(_LAUNCHER), str(reading_end)),
                *command.argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=dict(command.env),
                cwd=command.cwd,
                pass_fds=[reading_end],
                start_new_session=True,
            )
        except BaseException:
            os.close(writing_end)
            raise
        finally:
            os.close(reading_end)
        return cls(process=process, lifeline=writing_end, log=log, background=background)

    def watch(
        self, longest: int, line: Callable[[bytes], None], ended: Callable[[str], None]
    ) -> None:
        """Hear what it says until it ends, in messages of `longest` bytes at the most.

        `line` takes what it writes on standard output, line by line; `ended` is called once, with
        what its end looked like.
        """
        self._watching = self.background.start(self._watch(longest, line, ended))

    async def write(self, data: bytes) -> None:
        """Give it a line. Raises ConnectionError when it does not read any more."""
        assert self.process.stdin is not None
        if self.process.stdin.is_closing():
            raise BrokenPipeError
        self.process.stdin.write(data)
        await self.process.stdin.drain()

    async def close(self) -> None:
        """End it: its input first, then SIGTERM, then SIGKILL to its whole group."""
        await self._end()
        if self._watching is not None:
            # What it has said is read to the end, or its pipes would stay open.
            await asyncio.wait({self._watching}, timeout=2 * _GRACE_S)

    async def _end(self) -> None:
        try:
            if self.process.stdin is not None:
                self.process.stdin.close()
            if not await self._ends() and not await self._ends(signal.SIGTERM):
                await self._ends(signal.SIGKILL)
        finally:
            self._cut()

    async def _ends(self, number: signal.Signals | None = None) -> bool:
        if number is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_S):
                await self.process.wait()
                return True
        return False

    def _cut(self) -> None:
        """Let the watcher kill what is left of the group."""
        if self.lifeline >= 0:
            os.close(self.lifeline)
            self.lifeline = -1

    async def _watch(
        self, longest: int, line: Callable[[bytes], None], ended: Callable[[str], None]
    ) -> None:
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        told = self.background.start(
            _noise(self.process.stderr, lambda raw: self.log.line(raw, "stderr"))
        )
        try:
            if not await _lines(self.process.stdout, longest, line):
                self.log.line(b"a message was too long", "stdout")
            # It cannot answer any more, so that it is of no use even if it goes on.
            await self._end()
            await _drained(self.process.stdout)
            await asyncio.wait({told}, timeout=_GRACE_S)
            ended(_shown(self.process.returncode))
        finally:
            told.cancel()
            self._cut()


async def _drained(stream: asyncio.StreamReader) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_GRACE_S):
            while await stream.read(_CHUNK):
                pass


async def _lines(stream: asyncio.StreamReader, longest: int, line: Callable[[bytes], None]) -> bool:
    """Call for each line until the stream ends; False as soon as one is longer than it may be."""
    rest = bytearray()
    while chunk := await stream.read(_CHUNK):
        searched = len(rest)
        rest += chunk
        while (end := rest.find(b"\n", searched)) >= 0:
            line(bytes(rest[:end]))
            del rest[: end + 1]
            searched = 0
        if len(rest) > longest:
            return False
    if rest:
        line(bytes(rest))
    return True


async def _noise(stream: asyncio.StreamReader, line: Callable[[bytes], None]) -> None:
    """Call for each line until the stream ends; what is too long is left out."""
    while not await _lines(stream, _LONGEST_TOLD, line):
        line(b"(a line that was too long)")


def _shown(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
