"""The git subprocess: fixed arguments, a clean environment, a bounded life and output."""

import asyncio
import logging
import os
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
from opentelemetry import trace
from opentelemetry.trace import StatusCode

from trunkline_branch_context.refusal import refusal
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import NoRepository, TooLarge, Unsupported, UpstreamTimeout

TIMEOUT_S = 5.0
OUTPUT_CAP = 16 * 1024 * 1024
STDERR_CAP = 4 * 1024
_CHUNK = 64 * 1024

HARDENED_ENVIRONMENT: Mapping[str, str] = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "LC_ALL": "C",
}
HARDENED_OPTIONS = (
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
)

log = logging.getLogger(__name__)
tracer = trace.get_tracer(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a git command wrote, and how it ended."""

    code: int
    text: str
    complaint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """git in one directory.

    `environment` is everything git sees of ours. `shown` is how messages call the directory.
    Times in seconds, sizes in bytes.
    """

    directory: Path
    environment: Mapping[str, str]
    shown: str
    timeout_s: float = TIMEOUT_S
    output_cap: int = OUTPUT_CAP

    async def run(
        self, *arguments: str, accept: frozenset[int] = frozenset({0}), within_s: float = TIMEOUT_S
    ) -> Output:
        """Run `git ARGUMENTS` and return its output when it ends with an accepted code.

        `arguments` are ours, never a caller's text other than full names of references and
        object names. Raises NoRepository, PermissionDenied, TooLarge, Unsupported,
        UpstreamTimeout.
        """
        with tracer.start_as_current_span(f"git {arguments[0]}") as span:
            output = await self._bounded(arguments, remaining(min(within_s, self.timeout_s)))
            span.set_attribute("process.executable.name", "git")
            span.set_attribute("process.exit.code", output.code)
            if output.code not in accept:
                span.set_status(StatusCode.ERROR, f"exit code {output.code}")
                log.info("git %s ended with %d: %s", arguments[0], output.code, output.complaint)
                raise refusal(arguments[0], output.code, output.complaint, self.shown)
            return output

    async def _bounded(self, arguments: tuple[str, ...], seconds: float) -> Output:
        try:
            async with asyncio.timeout(seconds), self._started(arguments) as process:
                return await _finished(process, arguments[0], self.output_cap)
        except TimeoutError:
            raise UpstreamTimeout(
                f"git {arguments[0]} was stopped after {seconds:.1f} s",
                hint="The repository is very large or its disk is slow; try again later.",
            ) from None

    @asynccontextmanager
    async def _started(self, arguments: tuple[str, ...]) -> AsyncIterator[Process]:
        process = await asyncio.create_subprocess_exec(
            self._executable(),
            *HARDENED_OPTIONS,
            *arguments,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            cwd=self._existing_directory(),
            env={**self.environment, **HARDENED_ENVIRONMENT},
            start_new_session=True,
        )
        try:
            yield process
        finally:
            await _end(process)

    def _executable(self) -> str:
        found = shutil.which("git", path=self.environment.get("PATH"))
        if found is None:
            raise Unsupported(
                "git is not installed, or not on PATH",
                hint="Install git (2.36 or newer) where this server runs.",
                details={"reason": "git_missing"},
            )
        return found

    def _existing_directory(self) -> Path:
        if not self.directory.is_dir():
            raise NoRepository(
                f"{self.shown} is not a directory",
                hint="Set TRUNKLINE_REPO_PATH (or --repo) to a git checkout.",
                details={"reason": "path_missing"},
            )
        return self.directory


async def _finished(process: Process, command: str, cap: int) -> Output:
    assert process.stdout is not None
    assert process.stderr is not None
    async with asyncio.TaskGroup() as tasks:
        out = tasks.create_task(_read(process.stdout, cap))
        complaint = tasks.create_task(_read(process.stderr, STDERR_CAP))
    code = await process.wait()
    written, whole = out.result()
    if not whole:
        raise TooLarge(f"git {command} wrote more than {cap} bytes", details={"cap_bytes": cap})
    return Output(code=code, text=_text(written), complaint=_text(complaint.result()[0]))


async def _read(stream: asyncio.StreamReader, cap: int) -> tuple[bytes, bool]:
    """Read up to `cap` bytes and drop what follows, so that git is never left waiting."""
    kept = bytearray()
    total = 0
    while chunk := await stream.read(_CHUNK):
        total += len(chunk)
        kept += chunk[: max(0, cap - len(kept))]
    return bytes(kept), total <= cap


def _text(written: bytes) -> str:
    """Decode; a name that is not UTF-8 is shown with the replacement character."""
    return written.decode("utf-8", errors="replace")


async def _end(process: Process) -> None:
    """Kill git and whatever it started, unless it has ended; also under cancellation."""
    if process.returncode is not None:
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    with anyio.CancelScope(shield=True):
        await process.wait()
