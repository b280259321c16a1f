"""The `trunkline` command as a real process, read until it says what a test waits for."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from trunkline_cli.environment import variables

PATIENCE_S = 40
LONGEST_LINE = 16 * 1024 * 1024
"""Bytes: a list of all tools is one line over stdio."""

COMMAND = (sys.executable, "-m", "trunkline_cli")


@dataclass(frozen=True, kw_only=True)
class Running:
    """A `trunkline` process and what it has said so far on standard output."""

    process: Process
    said: list[str] = field(default_factory=list)

    async def until(self, text: str) -> str:
        """Read lines up to the one that holds `text`, and return that one."""
        assert self.process.stdout is not None
        while line := (await self.process.stdout.readline()).decode():
            self.said.append(line)
            if text in line:
                return line
        assert self.process.stderr is not None
        complaint = (await self.process.stderr.read()).decode()
        raise AssertionError(f"never said {text!r}; said {self.said}; complained {complaint}")

    async def url(self) -> str:
        """Wait until the mesh is ready, and return the router's base URL."""
        line = await self.until("Ready in")
        url = line.partition(" at ")[2].split()[0].removesuffix("/mcp")
        await self.until("Ctrl-C")
        return url

    def host(self) -> int:
        """Return the process id of the one child."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        (child,) = children.read_text(encoding="utf-8").split()
        return int(child)


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a command that ran to its end did so."""

    code: int
    out: str
    err: str


def environment(home: Path, given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment without credentials and without anybody's configuration."""
    kept = {name: value for name, value in variables().items() if name in {"PATH", "LANG"}}
    return kept | {"HOME": str(home), "TRUNKLINE_PORT": "0", **(given or {})}


@asynccontextmanager
async def started(
    *words: str, env: Mapping[str, str], cwd: Path, patience_s: float = PATIENCE_S
) -> AsyncIterator[Running]:
    """Start `trunkline WORDS`; at the end of the block it is killed if it still runs."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        *words,
        env=dict(env),
        cwd=cwd,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        limit=LONGEST_LINE,
    )
    try:
        async with asyncio.timeout(patience_s):
            yield Running(process=process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def ended(*words: str, env: Mapping[str, str], cwd: Path, stdin: bytes = b"") -> Ended:
    """Run `trunkline WORDS` to its end."""
    return await run_to_end([*COMMAND, *words], env=env, cwd=cwd, stdin=stdin)


async def run_to_end(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    stdin: bytes = b"",
    patience_s: float = PATIENCE_S,
) -> Ended:
    """Run any command to its end."""
    process = await asyncio.create_subprocess_exec(
        *command, env=dict(env), cwd=cwd, stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(patience_s):
        out, err = await process.communicate(stdin)
    assert process.returncode is not None
    return Ended(code=process.returncode, out=out.decode(), err=err.decode())


def alive(pid: int) -> bool:
    """Return whether a process runs; one that has ended and waits for its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in {"Z", "X"}


async def gone(pid: int) -> None:
    """Wait until a process that may be nobody's child has ended."""
    descriptor = os.pidfd_open(pid) if alive(pid) else None
    if descriptor is None:
        return
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(descriptor, over.set)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await over.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def pss_kb(pid: int) -> int:
    """Return a process's proportional set size."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
