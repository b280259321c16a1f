"""The ci-status server as a process of its own."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.interaction.ci_logs import TOKEN, World
from tests.interaction.test_service_alone import connectable
from tests.interaction.trunkline_process import environment
from trunkline_shared.testing.loopback import free_socket


@dataclass(frozen=True, kw_only=True)
class Service:
    """The process, and where it serves."""

    process: Process
    url: str

    async def end(self) -> str:
        """End it; returns all that it said on both of its outputs."""
        self.process.terminate()
        out, err = await self.process.communicate()
        return (out + err).decode()

    def most_memory(self) -> int:
        """Return the most memory that it ever held, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024


@asynccontextmanager
async def process_of(
    ci: World, home: Path, given: Mapping[str, str] | None = None
) -> AsyncIterator[Service]:
    """Run the server before the world's GitHub, and say everything there is to say."""
    with free_socket() as probe:
        port = probe.getsockname()[1]
    env = environment(home) | {
        "GITHUB_TOKEN": TOKEN,
        "TRUNKLINE_GITHUB_API_URL": ci.github.url,
        "TRUNKLINE_SERVICE_PORT": str(port),
        "TRUNKLINE_LOG_LEVEL": "DEBUG",
        **(given or {}),
    }
    command = (sys.executable, "-m", "trunkline_ci_status")
    process = await asyncio.create_subprocess_exec(
        *command, env=env, cwd=home, stdout=PIPE, stderr=PIPE
    )
    try:
        await connectable(port)
        yield Service(process=process, url=f"http://127.0.0.1:{port}/mcp")
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
