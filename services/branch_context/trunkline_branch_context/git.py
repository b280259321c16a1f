"""The git subprocess: fixed arguments, a clean environment, a bounded life and output."""

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from opentelemetry import trace
from opentelemetry.trace import StatusCode

from trunkline_branch_context.process import RunningProcess, end, start
from trunkline_branch_context.refusal import refusal
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import NoRepository, TooLarge, Unsupported, UpstreamTimeout

TIMEOUT_S = 5.0
OUTPUT_CAP = 16 * 1024 * 1024
STDERR_CAP = 4 * 1024

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
    tracer: trace.Tracer = field(default=trace.get_tracer(__name__))

    async def run(
        self, *arguments: str, accept: frozenset[int] = frozenset({0}), within_s: float = TIMEOUT_S
    ) -> Output:
        """Run `git ARGUMENTS` and return its output when it ends with an accepted code.

        `arguments` are ours, never a caller's text other than full names of references and
        object names. Raises NoRepository, PermissionDenied, TooLarge, Unsupported,
        UpstreamTimeout.
        """
        with self.tracer.start_as_current_span(f"git {arguments[0]}") as span:
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
                await process.over.wait()
        except TimeoutError:
            raise UpstreamTimeout(
                f"git {arguments[0]} was stopped after {seconds:.1f} s",
                hint="The repository is very large or its disk is slow; try again later.",
            ) from None
        if process.overflowed:
            raise TooLarge(
                f"git {arguments[0]} wrote more than {self.output_cap} bytes",
                details={"cap_bytes": self.output_cap},
            )
        return Output(
            code=process.code, text=_text(process.out), complaint=_text(process.complaint)
        )

    @asynccontextmanager
    async def _started(self, arguments: tuple[str, ...]) -> AsyncIterator[RunningProcess]:
        transport, process = await start(
            (self._executable(), *HARDENED_OPTIONS, *arguments),
            directory=self._existing_directory(),
            environment={**self.environment, **HARDENED_ENVIRONMENT},
            caps=(self.output_cap, STDERR_CAP),
        )
        try:
            yield process
        finally:
            await end(transport, process)

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


def _text(written: bytearray) -> str:
    """Decode; a name that is not UTF-8 is shown with the replacement character."""
    return written.decode("utf-8", errors="replace")
